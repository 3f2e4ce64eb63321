import { lexicons, wordsOf } from 'mneme/plugin'
import type { RelationType } from '../../contract.ts'
import type { Subject } from './talk.ts'

/** Nouns for a relative, friend or boss, seen from the person who has one. */
export interface Bond {
  readonly type: RelationType
  /** True where the edge goes from the named one to the owner: my mother is parent of me. */
  readonly inverse: boolean
}

export interface BondFact {
  readonly type: RelationType
  readonly sources: readonly Subject[]
  readonly targets: readonly Subject[]
  readonly closes: boolean
  /** It ends what is known to hold, and tells nothing where nothing is. */
  readonly onlyEnds?: boolean
  /** Offsets in the frame's text. */
  readonly from: number
  readonly to: number
}

const BONDS: readonly (readonly [lexicons.Kin, Bond])[] = [
  ['spouse', { type: 'MARRIED_TO', inverse: false }],
  ['child', { type: 'PARENT_OF', inverse: false }],
  ['parent', { type: 'PARENT_OF', inverse: true }],
  ['relative', { type: 'RELATED_TO', inverse: false }],
  ['acquaintance', { type: 'KNOWS', inverse: false }],
  ['colleague', { type: 'COLLABORATES_WITH', inverse: false }],
  ['boss', { type: 'REPORTS_TO', inverse: false }],
  ['report', { type: 'REPORTS_TO', inverse: true }],
]

/** By noun, in all languages. */
export const bonds: ReadonlyMap<string, Bond> = new Map(
  BONDS.flatMap(([kin, bond]) => wordsOf(lexicons.KIN_NOUNS[kin]).map(noun => [noun, bond] as const)),
)

/** The words as alternatives of a pattern, the longest first. */
export const KIN = [...bonds.keys()].sort((a, b) => b.length - a.length).join('|')
/** The last words of all bonds: a sentence without any of them names no bond. */
export const LAST_WORDS = new Set([...bonds.keys()].map(words => words.split(' ').at(-1) ?? ''))
