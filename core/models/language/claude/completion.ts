import type Anthropic from '@anthropic-ai/sdk'
import type { Static, TObject } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { inForm } from '../completion-shape.ts'
import type { OutputFault } from '../language-errors.ts'
import type { TokenUsage } from '../language-model.ts'
import { TOOL_NAME } from './request.ts'

/** The result of a message, before it is held against the schema. */
export type Reading =
  | { readonly kind: 'completion'; readonly value: unknown; readonly usage: TokenUsage }
  | {
      readonly kind: 'useless'
      readonly reason: OutputFault
      readonly message: string
      readonly usage: TokenUsage
    }

/** Returns undefined when it is no message at all, such as the response of a proxy. */
export function readMessage(message: Anthropic.Message): Reading | undefined {
  const { content, stop_reason, usage } = Object(message)
  if (!Array.isArray(content) || typeof stop_reason !== 'string') return undefined
  const tokens = readUsage(usage)
  const useless = (reason: OutputFault, said: string): Reading => ({
    kind: 'useless',
    reason,
    message: said,
    usage: tokens,
  })
  // Only the reason counts: a cut-off call can look like a whole one.
  if (stop_reason === 'refusal') return useless('refused', 'declines to work on this text')
  if (stop_reason === 'max_tokens') return useless('truncated', 'did not come to an end within the tokens it has')
  if (stop_reason === 'model_context_window_exceeded') return useless('rejected', 'cannot hold a text this long')
  const call = content.find(block => Object(block).type === 'tool_use' && Object(block).name === TOOL_NAME)
  if (!call) return useless('malformed', 'answered without the form that was asked for')
  return { kind: 'completion', value: Object(call).input, usage: tokens }
}

function readUsage(usage: unknown): TokenUsage {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = Object(usage)
  const cachedTokens = count(cache_read_input_tokens)
  return {
    inputTokens: count(input_tokens) + count(cache_creation_input_tokens) + cachedTokens,
    cachedTokens,
    outputTokens: count(output_tokens),
  }
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
}

/**
 * Returns the value with its type when it fits the schema, or can be read so; fields that the schema does not name are
 * dropped.
 */
export function fit<T extends TObject>(schema: T, value: unknown): { readonly value: Static<T> } | undefined {
  const cleaned = storable(inForm(schema, value))
  return Value.Check(schema, cleaned) ? { value: cleaned } : undefined
}

/** Copies a value so that a database takes its texts: valid Unicode, without NUL. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '')
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [storable(name), storable(item)]))
}
