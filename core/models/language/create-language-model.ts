import type { ChatEndpointSettings } from './chat/endpoint.ts'
import type { EndpointSettings } from './claude/endpoint.ts'
import { type LanguageModelParts, noLanguageModel, type OpenLanguageModel } from './language-model.ts'
import { RemoteModel, type RemoteModelSettings } from './remote-model.ts'

export type ChatModelSettings = ChatEndpointSettings & RemoteModelSettings
export type ClaudeSettings = EndpointSettings & RemoteModelSettings

export type LanguageModelSettings =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'claude' } & ClaudeSettings)
  | ({ readonly kind: 'http' } & ChatModelSettings)

/**
 * Makes the model that the settings name; only its adapter is loaded, and nothing is sent before the first `generate`.
 * @throws Error in a sentence for an operator when a setting cannot work
 */
export async function createLanguageModel(
  settings: LanguageModelSettings,
  parts: LanguageModelParts,
): Promise<OpenLanguageModel> {
  if (settings.kind === 'none') return noLanguageModel
  const { model } = settings
  if (settings.kind === 'http') {
    const { ChatEndpoint } = await import('./chat/endpoint.ts')
    const endpoint = new ChatEndpoint(settings)
    const named = { modelId: `http/${model}`, name: `the language model ${model}` }
    return new RemoteModel(settings, { ...parts, ...named, endpoint })
  }
  const { ClaudeEndpoint } = await import('./claude/endpoint.ts')
  const endpoint = new ClaudeEndpoint(settings)
  return new RemoteModel(settings, { ...parts, modelId: `claude/${model}`, name: `Claude (${model})`, endpoint })
}
