import type { ChatModelSettings } from './chat/chat-model.ts'
import type { ClaudeSettings } from './claude/claude-model.ts'
import type { LanguageModelParts, OpenLanguageModel } from './language-model.ts'

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
  if (settings.kind === 'none') {
    const { noLanguageModel } = await import('./no-language-model.ts')
    return noLanguageModel
  }
  if (settings.kind === 'http') {
    const { createChatModel } = await import('./chat/chat-model.ts')
    return createChatModel(settings, parts)
  }
  const { createClaudeModel } = await import('./claude/claude-model.ts')
  return createClaudeModel(settings, parts)
}
