import { LanguageModelUnavailableError } from './language-errors.ts'
import type { OpenLanguageModel } from './language-model.ts'

/** Stands where no model is configured: callers go the local way at once. */
export const noLanguageModel: OpenLanguageModel = {
  modelId: 'none',
  available: () => false,
  generate: () => Promise.reject(new LanguageModelUnavailableError('no language model is configured')),
  outage: () => undefined,
  close: () => Promise.resolve(),
}
