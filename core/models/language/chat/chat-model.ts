import type { LanguageModelParts, OpenLanguageModel } from '../language-model.ts'
import { RemoteModel, type RemoteModelSettings } from '../remote-model.ts'
import { ChatEndpoint, type ChatEndpointSettings } from './endpoint.ts'

export interface ChatModelSettings extends ChatEndpointSettings, RemoteModelSettings {}

/**
 * Makes a language model of any server with OpenAI's chat completions.
 * @throws Error in a sentence for an operator when a setting cannot work
 */
export function createChatModel(settings: ChatModelSettings, parts: LanguageModelParts): OpenLanguageModel {
  const { model } = settings
  const endpoint = new ChatEndpoint(settings)
  return new RemoteModel(settings, {
    ...parts,
    modelId: `http/${model}`,
    name: `the language model ${model}`,
    endpoint,
  })
}
