import type { CoreConfig } from '../config.ts'
import { createLanguageModel } from '../models/language/create-language-model.ts'
import type { LanguageModelParts, OpenLanguageModel } from '../models/language/language-model.ts'

/** Opens Claude where a key is set, otherwise none. Nothing is sent before the first call. */
export function openLanguageModel(config: CoreConfig, parts: LanguageModelParts): Promise<OpenLanguageModel> {
  const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: url, ANTHROPIC_MODEL: model } = config
  if (!apiKey) return createLanguageModel({ kind: 'none' }, parts)
  return createLanguageModel({ kind: 'claude', apiKey, model, ...(url ? { url } : {}) }, parts)
}
