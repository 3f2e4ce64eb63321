import type { ScoreExplanation, Memory as Stored } from '@mneme/client'
import { told } from '../../parts.tsx'

/** A memory as lists, searches and its own address give it. */
export type Memory = Stored & {
  readonly relevance?: 'HIGH' | 'MEDIUM' | 'LOW' | 'NONE'
  readonly score?: number
  readonly explanation?: ScoreExplanation
}

export interface Memories {
  readonly data: readonly Memory[]
  readonly total: number
  /** A search gives it, and feedback names it. */
  readonly query_hash?: string
  readonly warning?: string
}

/**
 * Reads what was typed as metadata; null where there is nothing.
 *
 * @throws {Error} with a sentence that tells what is wrong with it
 */
export function metadataOf(typed: string): object | null {
  if (typed.trim() === '') return null
  const value = parsed(typed)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new Error('The metadata must be a JSON object, as {"source": "chat"}.')
  }
  return value
}

function parsed(typed: string): unknown {
  try {
    return JSON.parse(typed)
  } catch (error) {
    throw new Error(`The metadata is not valid JSON: ${error instanceof Error ? error.message : error}`)
  }
}

/** Metadata as they are shown and edited; empty where there are none. */
export const metadataText = (metadata: object | null) => (metadata === null ? '' : JSON.stringify(metadata, null, 2))

export const PRIORITIES = { LOW: 'Low', MEDIUM: 'Medium', HIGH: 'High' }
export const STATUSES = { PENDING: 'Waiting', PROCESSING: 'In processing', COMPLETED: 'Completed', FAILED: 'Failed' }
export const LAYERS = { RAW: 'Always', TASK: 'Until it expires, as a task does' }
export const MODES = { '': 'Words and meaning', semantic: 'Meaning', keyword: 'Exact words' }

/** The title of a value among options; the value itself where it is none of them. */
export const titleOf = (options: Readonly<Record<string, string>>, value: string) => options[value] ?? value

/** The beginning of a text, never half a character, with a sign that more follows. */
export const shortened = (text: string, length = 300): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')} …`

/** The part of a text that lies between two places, with signs that there is more of it. */
export function partOf(text: string, { start, end }: { start: number; end: number }, length = 400): string {
  const last = Math.min(end, start + length)
  const part = text.slice(start, last)
  const whole = part.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '')
  return `${start > 0 ? '… ' : ''}${whole}${last < text.length ? ' …' : ''}`
}

/** A number with so many digits after the point at most. */
export const figure = (number: number, digits = 3) => number.toLocaleString('en', { maximumFractionDigits: digits })

export const percent = (share: number) => `${figure(share * 100, 1)} %`

/** Tells a score, which lies between 0 and 1. */
export const scored = (score: number) => score.toFixed(2)

/** A number with the noun that it counts: `1 memory`, `1,200 memories`. */
export const counted = (number: number, one: string, many: string) => `${told(number)} ${number === 1 ? one : many}`
