import type Anthropic from '@anthropic-ai/sdk'
import { type Reading, tokenCount } from '../endpoint.ts'
import type { OutputFault } from '../language-errors.ts'
import type { TokenUsage } from '../language-model.ts'
import { TOOL_NAME } from './request.ts'

/** Returns undefined when it is no message at all, such as the response of a proxy. */
export function readMessage(message: Anthropic.Message): Reading | undefined {
  const { content, stop_reason, usage } = Object(message)
  if (!Array.isArray(content) || typeof stop_reason !== 'string') return undefined
  const tokens = readUsage(usage)
  const useless = (reason: OutputFault, said: string): Reading => ({
    kind: 'useless',
    reason,
    message: said,
    said: '',
    usage: tokens,
  })
  // Only the reason counts: a cut-off call can look like a whole one.
  if (stop_reason === 'refusal') return useless('refused', 'declines to work on this text')
  if (stop_reason === 'max_tokens') return useless('truncated', 'did not come to an end within the tokens it has')
  if (stop_reason === 'model_context_window_exceeded') return useless('rejected', 'cannot hold a text this long')
  const call = content.find(block => Object(block).type === 'tool_use' && Object(block).name === TOOL_NAME)
  if (!call) return useless('malformed', 'answered without the form that was asked for')
  const value: unknown = Object(call).input
  return { kind: 'completion', value, said: JSON.stringify(value) ?? '', usage: tokens }
}

function readUsage(usage: unknown): TokenUsage {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = Object(usage)
  const cachedTokens = tokenCount(cache_read_input_tokens)
  return {
    inputTokens: tokenCount(input_tokens) + tokenCount(cache_creation_input_tokens) + cachedTokens,
    cachedTokens,
    outputTokens: tokenCount(output_tokens),
  }
}
