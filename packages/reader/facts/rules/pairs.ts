import type { RelationType } from '../kinds.ts'

/** Patterns by which a sentence says what two are to each other. */
export const TOGETHER: readonly (readonly [string, RelationType])[] = [
  [
    `<S> (?:are |were |both )?(?:working|work|worked|collaborate|collaborated|collaborating|pair|paired|pairing) (?:together|closely)`,
    'COLLABORATES_WITH',
  ],
  [
    `<S> (?:are|were|have been) <3> (?:friends|neighbours|neighbors|roommates|flatmates|classmates|acquaintances)`,
    'KNOWS',
  ],
]
