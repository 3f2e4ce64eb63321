import { lexicons, wordSet } from 'mneme/plugin'
import type { Frame } from './frame.ts'
import type { Mention } from './mention.ts'
import type { Talk } from './talk.ts'

export const PREPOSITIONS = wordSet(lexicons.PREPOSITIONS)
const CONJUNCTIONS = wordSet(lexicons.CONJUNCTIONS_OF_PEOPLE)
const DETERMINERS = wordSet(lexicons.DETERMINERS)
const BEFORE_PEOPLE = wordSet(lexicons.BEFORE_PEOPLE)
const SUBORDINATORS = wordSet(lexicons.SUBORDINATING_CONJUNCTIONS)

/** A name after "at" or "of" belongs to what stands before it. */
export function isGoverned(frame: Frame, index: number): boolean {
  let i = index - 1
  while (i > 0 && CONJUNCTIONS.has(frame.pieces[i]?.unit.lower ?? '') && frame.pieces[i - 1]?.mention) i -= 2
  if (DETERMINERS.has(frame.pieces[i]?.unit.lower ?? '')) i--
  const before = frame.pieces[i]
  return before !== undefined && !before.mention && PREPOSITIONS.has(before.unit.lower)
}

/** Finds whom "they" means: several people of this sentence, else those before. */
export function peopleMeant(frame: Frame, index: number, talk: Talk): readonly Mention[] {
  const people = frame.pieces
    .slice(0, index)
    .flatMap(({ mention }, i) => (mention && mayBePerson(mention, governor(frame, i)) ? mention : []))
  return people.length > 1 ? people : talk.people
}

function personBefore(frame: Frame, index: number): Mention[] | undefined {
  for (let i = index - 1; i >= 0; i--) {
    const { mention } = frame.pieces[i] ?? {}
    const acts = i === 0 || /^(?:VERB|AUX)$/.test(frame.pieces[i + 1]?.unit.pos ?? '')
    if (mention && (mention.type === 'PERSON' || (mention.type === undefined && acts)) && !isGoverned(frame, i))
      return [mention]
  }
  return undefined
}

/** Finds whom "she" means. */
export function personMeant(frame: Frame, index: number, talk: Talk): readonly Mention[] {
  const acting = personBefore(frame, index) ?? personAfter(frame, index)
  if (acting || talk.people.length > 0) return acting ?? talk.people.slice(-1)
  // "Talked to Ngozi today , she left": nobody else was named.
  return frame.pieces
    .slice(0, index)
    .flatMap(({ mention }, i) => (mention && mayBePerson(mention, governor(frame, i)) ? mention : []))
    .slice(-1)
}

/** The word before a name and its article. */
function governor(frame: Frame, index: number): string {
  const before = frame.pieces[index - 1]?.unit.lower ?? ''
  return before === 'the' ? (frame.pieces[index - 2]?.unit.lower ?? '') : before
}

/** A first name may be that of a small town too. */
function mayBePerson({ type, confidence }: Mention, before: string): boolean {
  if (type === 'PLACE') return confidence < 0.7 && BEFORE_PEOPLE.has(before)
  return (type ?? 'PERSON') === 'PERSON' && confidence >= 0.4 && !/^(?:at|in|near)$/.test(before)
}

/** "Although she grew up in Hanoi , Linh has …": she is who the main clause is about. */
function personAfter(frame: Frame, index: number): Mention[] | undefined {
  if (!SUBORDINATORS.has(frame.pieces[0]?.unit.lower ?? '')) return undefined
  for (let i = index + 1; i < frame.pieces.length - 2; i++) {
    const { mention } = frame.pieces[i + 1] ?? {}
    const acts = /^(?:VERB|AUX)$/.test(frame.pieces[i + 2]?.unit.pos ?? '')
    if (frame.pieces[i]?.unit.lower === ',' && mention && acts && (mention.type ?? 'PERSON') === 'PERSON')
      return [mention]
  }
  return undefined
}
