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
  [`<S> (?:are|were) <3> (?:colleagues|coworkers|teammates|business partners|co-founders)`, 'COLLABORATES_WITH'],
  [`<S> (?:are|were) <3> (?:brothers|sisters|siblings|cousins|twins|related)`, 'RELATED_TO'],
  [`<S> (?:know|met) each other`, 'KNOWS'],
]
