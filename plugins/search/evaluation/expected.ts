import { isDeepStrictEqual } from 'node:util'
import { unicodeForm } from 'mneme/plugin'
import type { Expectation } from './questions.ts'

/** The fields of a search result that an expectation checks. */
export interface Result {
  readonly id: string
  readonly memory: string
  readonly metadata: Readonly<Record<string, unknown>> | null
}

/** Returns the place of every expected result, from 1; null for a missing one. */
export function ranksOfExpected(
  results: readonly Result[],
  expected: readonly Expectation[],
): readonly (number | null)[] {
  return expected.map(one => {
    const place = results.findIndex(result => meets(result, one))
    return place < 0 ? null : place + 1
  })
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function meets(result: Result, expected: Expectation): boolean {
  if (typeof expected === 'string') return meets(result, UUID.test(expected) ? { id: expected } : { text: expected })
  const { id, text, metadata } = expected
  if (id !== undefined && result.id !== id.toLowerCase()) return false
  if (text !== undefined && !normal(result.memory).includes(normal(text))) return false
  const held: Readonly<Record<string, unknown>> = result.metadata ?? {}
  return Object.entries(metadata ?? {}).every(([key, value]) => isDeepStrictEqual(held[key], value))
}

/** Case, spacing and Unicode form do not distinguish texts. */
function normal(text: string): string {
  return unicodeForm(text, 'NFKC').toLowerCase().trim().replace(/\s+/g, ' ')
}
