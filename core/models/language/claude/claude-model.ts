import type { LanguageModelParts, OpenLanguageModel } from '../language-model.ts'
import { RemoteModel, type RemoteModelSettings } from '../remote-model.ts'
import { ClaudeEndpoint, type EndpointSettings } from './endpoint.ts'

export interface ClaudeSettings extends EndpointSettings, RemoteModelSettings {}

/** @throws Error in a sentence for an operator when a setting cannot work */
export function createClaudeModel(settings: ClaudeSettings, parts: LanguageModelParts): OpenLanguageModel {
  const { model } = settings
  const endpoint = new ClaudeEndpoint(settings)
  return new RemoteModel(settings, { ...parts, modelId: `claude/${model}`, name: `Claude (${model})`, endpoint })
}
