import type { RelationType } from '../contract.ts'
import type { Evidence } from './evidence.ts'

/** People have one employer and one boss, by whatever name. A place can be left for another one within it, so homes are not among these. */
const ONE_BY_ANY_NAME: ReadonlySet<RelationType> = new Set(['WORKS_AT', 'REPORTS_TO'])

/**
 * Tells whether an end may mean what was told by a longer or shorter name: "I no longer work at Virgen del Rocío" after "I work at Hospital
 * Virgen del Rocío". What tells when it was may be of another time.
 */
export function mayNameOtherwise({ type, closes, validFrom, validTo }: Evidence): boolean {
  return closes && validFrom === null && validTo === null && ONE_BY_ANY_NAME.has(type)
}

/** Tells whether two statements are about the same of one source. */
export function isOfSource(one: Evidence, other: Evidence): boolean {
  return one.type === other.type && one.sourceId === other.sourceId
}
