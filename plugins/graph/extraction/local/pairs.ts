import type { RelationType } from '../../contract.ts'
import { type Frame, mentionsIn, pattern } from './frame.ts'
import type { BondFact } from './kin-words.ts'

const TOGETHER: readonly (readonly [string, RelationType])[] = [
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

/** Finds relationships between two people who are named together. */
export function together(frame: Frame): BondFact[] {
  return TOGETHER.flatMap(([source, type]) =>
    [...frame.text.matchAll(pattern(source))].flatMap(match => {
      const [first, second, ...more] = mentionsIn(frame, match.groups?.s ?? '')
      const denied = /\bnot\b/.test(match[0])
      if (!first || !second || more.length > 0 || denied) return []
      return [
        {
          type,
          sources: [first],
          targets: [second],
          closes: false,
          from: match.index,
          to: match.index + match[0].length,
        },
      ]
    }),
  )
}
