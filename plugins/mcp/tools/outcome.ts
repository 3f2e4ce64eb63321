import { clipped } from 'mneme/plugin'
import type { McpTool } from '../contract.ts'

/** A longer result would fill the context of an agent, and take a response that is sent in pieces. */
const TEXT_BYTES_MAX = 128 * 1024
/** Beside one string of this length there is room for the largest metadata, so that a single memory can be read. */
const STRING_BYTES_MAX = 48 * 1024
/** A text that is cut to this has room for the note behind it. */
const CUT_TEXT_BYTES_MAX = TEXT_BYTES_MAX - 1024

/** An agent reads what to mend within this, however much is at fault. */
const FAILURE_MAX = 4000

/** The outcome of a call, as the agent reads it. */
export interface Outcome {
  readonly text: string
  readonly isError: boolean
}

/**
 * Writes the result of a success: text as it is, anything else as JSON. In one that is too long, strings are cut that would be as long if the agent
 * asked for fewer results. A call that changed something is never an error, since the agent would try it again.
 */
export function outcomeOfSuccess(result: unknown, effect: McpTool['effect']): Outcome {
  const text = typeof result === 'string' ? result : JSON.stringify(result ?? null)
  if (fits(text)) return { text, isError: false }
  const shorter =
    typeof result === 'string'
      ? cut(result, CUT_TEXT_BYTES_MAX)
      : JSON.stringify(result, (_, value) => (typeof value === 'string' ? cut(value, STRING_BYTES_MAX) : value))
  if (fits(shorter)) return { text: shorter, isError: false }
  if (effect !== 'reads') return { text: 'It is done. The result is too long to be read at once.', isError: false }
  return {
    text: 'The result is too long to be read at once. Ask for less: fewer results, or a part of it.',
    isError: true,
  }
}

export function outcomeOfFailure(why: string): Outcome {
  return { text: clipped(why, FAILURE_MAX), isError: true }
}

function fits(text: string): boolean {
  return Buffer.byteLength(text) <= TEXT_BYTES_MAX
}

/** The bytes are those of its JSON, where some characters take six. */
function cut(text: string, bytesMax: number): string {
  let end = text.length
  while (Buffer.byteLength(JSON.stringify(text.slice(0, end))) > bytesMax) end = Math.floor(end * 0.95)
  if (end === text.length) return text
  return `${text.slice(0, end).replace(/\p{Cs}$/u, '')}… [cut off here: ${text.length} characters in all]`
}

/** Tells whether a text in a value ends as {@link cut} ends one: stored, it would take the place of the whole text. */
export function holdsCutText(value: unknown): boolean {
  if (typeof value === 'string') return /… \[cut off here: \d+ characters in all\]\s*$/.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsCutText)
}
