import { createHash } from 'node:crypto'
import { denialsIn, foldWord, normalizeText } from 'mneme/plugin'
import { parseQuery } from '../analysis/parse-query.ts'

/**
 * A digest of the tokens that two queries must share to ask for the same thing, however similar their vectors are: "ticket 4711" and
 * "ticket 4712" have a cosine of 0.94. Words with a digit, exclusions, quotations and denials count, in any order. Empty when
 * there are none.
 */
export function marksOf(query: string): string {
  const quotedOrExcluded = parseQuery(query).clauses.flatMap(({ excluded, terms }) =>
    terms.filter(({ quoted }) => excluded || quoted).map(({ text }) => (excluded ? `-${text}` : `"${text}`)),
  )
  const normal = normalizeText(query)
  const telling = [...(normal.match(WITH_DIGIT) ?? []), ...denialsIn(normal)]
  const marks = new Set([...quotedOrExcluded, ...telling].map(foldWord))
  if (marks.size === 0) return ''
  return createHash('sha256')
    .update(JSON.stringify([...marks].sort()))
    .digest('hex')
    .slice(0, 32)
}

const WITH_DIGIT = /\p{N}[\p{L}\p{N}_]*|(?<![\p{L}_])[\p{L}_]+\p{N}[\p{L}\p{N}_]*/gu
