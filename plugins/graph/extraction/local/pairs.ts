import type { RelationType } from '../../contract.ts'
import { type Frame, mentionsIn, pattern } from './frame.ts'
import type { BondFact } from './kin-words.ts'
import type { Language } from './language.ts'
import { subjectBefore, type Talk } from './subjects.ts'

/** [pattern, whether it ends the marriage]; the subject stands before unless it is caught. */
const MARRIAGES: readonly (readonly [string, boolean])[] = [
  [`(?:married|marries|marry)(?: to)? <O>`, false],
  [`(?:mit|avec|con) <O> (?:verheiratet|mariée?|casad[oa])`, false],
  [`<S> (?:got|are|were|have been|had) <2> married`, false],
  [`<S> (?:(?:got|are|were|have) <1> )?(?:divorced|separated|split up|broke up)`, true],
  [`(?:divorced|divorces|separated from|divorced from|got divorced from)(?: from)? <O>`, true],
]
/** The same of the one who writes: "Nadia and I got married". */
const OWN_MARRIAGES: readonly (readonly [string, boolean])[] = [
  [`<O> and (?:i|me) (?:got|are|were|have been|had) <2> married`, false],
  [`(?:i|me) and <O> (?:got|are|were|have been|had) <2> married`, false],
  [`<O> and (?:i|me) (?:(?:got|are|were|have) <1> )?(?:divorced|separated|split up|broke up)`, true],
  [`(?:i|me) and <O> (?:(?:got|are|were|have) <1> )?(?:divorced|separated|split up|broke up)`, true],
]

/** Marriages and separations that a sentence states. */
export function marriagesIn(frame: Frame, talk: Talk, language: Language): BondFact[] {
  if (language === 'es' || language === 'fr') return []
  const own = OWN_MARRIAGES.flatMap(([source, closes]) =>
    [...frame.text.matchAll(pattern(source))].flatMap(match => {
      const targets = mentionsIn(frame, match.groups?.o ?? '')
      const [from, to] = [match.index, match.index + match[0].length]
      return targets.length === 1
        ? [{ type: 'MARRIED_TO' as const, sources: ['user' as const], targets, closes, from, to }]
        : []
    }),
  )
  if (own.length > 0) return own
  return MARRIAGES.flatMap(([source, ends]) =>
    [...frame.text.matchAll(pattern(source))].flatMap(match => {
      const pair = mentionsIn(frame, match.groups?.s ?? '')
      const found = pair.length === 2 ? undefined : subjectBefore(frame, frame.pieceAt(match.index), talk)
      const [sources, targets] =
        pair.length === 2
          ? [pair.slice(0, 1), pair.slice(1)]
          : [found?.subjects ?? [], mentionsIn(frame, match.groups?.o ?? '')]
      const denied = /\b(?:not|never|nicht|getting|isn't|wasn't|want|wants|might|would|going|hope|hopes|will)\b/.test(
        found?.between ?? '',
      )
      const closes = ends || /no longer/.test(found?.between ?? '')
      if (sources.length !== 1 || targets.length !== 1 || (denied && !closes)) return []
      return [
        { type: 'MARRIED_TO' as const, sources, targets, closes, from: match.index, to: match.index + match[0].length },
      ]
    }),
  )
}

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

/** What two people who are named together are to each other. */
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
