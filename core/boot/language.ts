import type { CoreConfig } from '../config.ts'
import { createLanguageModel, type LanguageModelSettings } from '../models/language/create-language-model.ts'
import type { LanguageModelParts, OpenLanguageModel } from '../models/language/language-model.ts'

/** Opens the language model that the settings name. Nothing is sent before the first call. */
export function openLanguageModel(config: CoreConfig, parts: LanguageModelParts): Promise<OpenLanguageModel> {
  return createLanguageModel(settingsOf(config), parts)
}

function settingsOf(config: CoreConfig): LanguageModelSettings {
  const { LANGUAGE_MODEL_CONCURRENCY: concurrency } = config
  // A key is often in the environment for another program, so it is no consent to send texts.
  const kind = config.LANGUAGE_MODEL ?? 'none'
  if (kind === 'none') return { kind }
  if (kind === 'claude') {
    const { ANTHROPIC_API_KEY: apiKey = '', ANTHROPIC_BASE_URL: url, ANTHROPIC_MODEL: model } = config
    return { kind, apiKey, model, concurrency, ...(url ? { url } : {}) }
  }
  const { LANGUAGE_MODEL_URL: url = '', LANGUAGE_MODEL_NAME: model = '', LANGUAGE_MODEL_API_KEY: apiKey } = config
  return { kind, url, model, concurrency, ...(apiKey ? { apiKey } : {}) }
}
