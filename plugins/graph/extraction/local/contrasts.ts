import type { EntityType, RelationType } from '../../contract.ts'
import type { Fact } from './fact.ts'
import type { SentenceFacts, Typing } from './facts.ts'
import { type Frame, mentionsIn, pattern } from './frame.ts'
import type { Mention } from './mention.ts'
import { INSTEAD } from './rules/contrasts.ts'
import { ALWAYS } from './times.ts'

/** Nouns for single-valued facts: when one is said to be over, the words after it name the old value. */
const REPLACED: ReadonlyMap<RelationType, EntityType> = new Map([
  ['LIVES_IN', 'PLACE'],
  ['WORKS_AT', 'ORGANIZATION'],
  ['REPORTS_TO', 'PERSON'],
  ['USES_TECHNOLOGY', 'THING'],
])

/** Adds what a sentence names in place of what it says is over, where the verb is left out. */
export function withContrasts(frame: Frame, found: SentenceFacts): SentenceFacts {
  const begun = found.facts.filter(({ closes, onlyEnds, type }) => !closes && !onlyEnds && REPLACED.has(type))
  const facts: Fact[] = []
  const typings: Typing[] = []
  for (const fact of found.facts) {
    const wanted = REPLACED.get(fact.type)
    const isOver = fact.closes || fact.onlyEnds === true
    const isReplaced = [...begun, ...facts].some(({ type, source }) => type === fact.type && source === fact.source)
    if (!wanted || !isOver || isReplaced || fact.target === 'user') continue
    const other = namedInstead(frame, fact.target, wanted)
    if (!other || other === fact.source) continue
    typings.push({ mention: other, type: wanted })
    const { type, source, start } = fact
    facts.push({ type, source, target: other, closes: false, confidence: 0.7, validity: ALWAYS, start, end: other.end })
  }
  return facts.length === 0
    ? found
    : { ...found, facts: [...found.facts, ...facts], typings: [...found.typings, ...typings] }
}

function namedInstead(frame: Frame, over: Mention, wanted: EntityType): Mention | undefined {
  const at = frame.pieces.findIndex(({ mention }) => mention === over)
  if (at < 0) return undefined
  for (const source of INSTEAD) {
    for (const match of frame.text.matchAll(pattern(source))) {
      const [name, ...more] = mentionsIn(frame, match.groups?.o ?? '')
      if (!name || more.length > 0 || frame.pieceAt(match.index) <= at || frame.pieceAt(match.index) > at + 5) continue
      if (name.name !== over.name && mayBe(name, wanted)) return name
    }
  }
  return undefined
}

/** Tells whether no list contradicts the type. */
function mayBe({ type, confidence }: Mention, wanted: EntityType): boolean {
  return type === undefined || type === wanted || (confidence <= 0.65 && wanted !== 'PLACE')
}
