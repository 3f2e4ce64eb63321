import { lexicons, wordSet } from '../index.ts'
import { type Frame, mentionsIn, pattern } from './frame.ts'
import type { Mention, Speech, Subject, Talk } from './parts.ts'
import { TELLS, TOLD_BEHIND } from './rules/context.ts'

export interface FoundSubject {
  readonly subjects: readonly Subject[]
  /** Words between the subject and its verb, in lower case: "does not", "would like to". */
  readonly between: string
  /** "our team": what it uses the user uses, but where it sits the user need not live. */
  readonly isGroup?: boolean
}

const USER = wordSet(lexicons.USER_SUBJECTS)
const THIRD = wordSet(lexicons.THIRD_PERSON_SUBJECTS)
const THEY = wordSet(lexicons.PLURAL_SUBJECTS)
const RELATIVE = wordSet(lexicons.RELATIVE_PRONOUNS)
const LINKS = wordSet(lexicons.PREDICATE_LINKS)
const BETWEEN = wordSet(lexicons.BEFORE_VERBS)
const GROUPS = wordSet(lexicons.OWN_GROUPS)
const APPOSED = wordSet(lexicons.APPOSED_NOUNS)
const ADVERBIAL = wordSet(lexicons.ADVERBIAL_CONJUNCTIONS)
const RELATIVES = wordSet(lexicons.RELATIVES_IN_LISTS)
const DETERMINERS = wordSet(lexicons.DETERMINERS)
const NEWS = wordSet(lexicons.NEWS_WORDS)
const NOTE_VERBS = wordSet(lexicons.NOTE_VERBS)
const NO_NOTE_BEGINNINGS = wordSet(lexicons.NO_NOTE_BEGINNINGS)
const OWN = wordSet(lexicons.POSSESSIVES_OF_USER)
const OTHERS = wordSet(lexicons.POSSESSIVES_OF_OTHERS)

const DEPTH_MAX = 4
const BACK_MAX = 40

/** Whoever does what the verb at `index` says; undefined where that is somebody without a name. */
export function subjectBefore(frame: Frame, index: number, talk: Talk, depth = 0): FoundSubject | undefined {
  const between: string[] = []
  const found = (subjects: readonly Subject[]) =>
    subjects.length > 0 ? { subjects, between: between.reverse().join(' ') } : undefined
  if (isAdverbial(frame, index)) {
    const verb = depth < DEPTH_MAX ? verbBefore(frame, index) : -1
    const own = verb >= 0 ? subjectBefore(frame, verb, talk, depth + 1) : undefined
    return own && found(own.subjects)
  }
  const collective = () => ({ subjects: ['user' as const], between: between.reverse().join(' '), isGroup: true })
  for (let i = index - 1; i >= 0 && i > index - BACK_MAX; i--) {
    const piece = frame.pieces[i]
    if (!piece) return undefined
    const word = piece.unit.lower
    if (piece.mention) {
      const verb = frame.pieces[i + 1]?.unit.lower === 'to' ? governingVerb(frame, i) : -1
      if (verb >= 0) return depth < DEPTH_MAX ? subjectBefore(frame, verb, talk, depth + 1) : undefined
      if (!isGoverned(frame, i)) return found(listEndingAt(frame, i))
      i = phraseStart(frame, i)
      continue
    }
    if (USER.has(word)) return found(['user', ...withUser(frame, i)])
    if (word === 'he' && frame.pieces[i + 1]?.mention) continue
    if (word === ')') {
      i = bracketBefore(frame, i)
      continue
    }
    const isShe = word === 'sie' && /t$/.test(frame.pieces[i + 1]?.unit.lower ?? '')
    if (THIRD.has(word) || isShe) return found(personMeant(frame, i, talk))
    if (THEY.has(word)) return found(peopleMeant(frame, i, talk))
    if (i === 0 && /^[-*•–]$/.test(word)) break
    if (GROUPS.has(word) && /^(?:our|my)$/.test(frame.pieces[i - 1]?.unit.lower ?? '')) return collective()
    if (APPOSED.has(word) && frame.pieces[i - 1]?.mention) continue
    if (RELATIVE.has(word) && i > 0) return found(antecedent(frame, i))
    if (LINKS.has(word)) {
      const topic = word === ':' ? topicBefore(frame, i) : []
      if (topic.length > 0) return found(topic)
      const inherited = inheritedAt(frame, i, talk, depth)
      return inherited && found(inherited.subjects)
    }
    if (isRelativeBeside(frame, i)) {
      i -= 2
      continue
    }
    if (BETWEEN.has(word) || piece.unit.pos === 'ADV' || (piece.unit.pos === 'NUM' && between.length > 0))
      between.push(word)
    else return undefined
  }
  return found(implied(frame, index, between, talk))
}

/** "since leaving": whose the verb before it is. */
function isAdverbial(frame: Frame, index: number): boolean {
  const [first, second] = frame.pieces.slice(index, index + 2)
  return ADVERBIAL.has(first?.unit.lower ?? '') && /ing$/.test(second?.unit.lower ?? '')
}

/** "Ada and her husband moved" */
function isRelativeBeside(frame: Frame, index: number): boolean {
  return (
    /^(?:his|her|their)$/.test(frame.pieces[index - 1]?.unit.lower ?? '') &&
    frame.pieces[index - 2]?.unit.lower === 'and'
  )
}

/** Finds the subject of the predicate before the link at `index`: "dislikes being called and favours Signal". */
function inheritedAt(frame: Frame, index: number, talk: Talk, depth: number): FoundSubject | undefined {
  const verb = depth < DEPTH_MAX ? verbBefore(frame, index) : -1
  if (verb < 0) return sentenceSubject(frame, index)
  const nearest = subjectBefore(frame, verb, talk, depth + 1)
  if (nearest || frame.pieces[index]?.unit.lower !== 'and') return nearest
  let earlier = verbBefore(frame, verb)
  for (let n = 0; n < DEPTH_MAX && earlier >= 0; n++) {
    const clause = frame.pieces.slice(earlier, index)
    if (clause.some(({ unit }) => unit.lower === ',' || THIRD.has(unit.lower) || RELATIVE.has(unit.lower)))
      return undefined
    const own = subjectBefore(frame, earlier, talk, depth + 1)
    if (own) return own
    earlier = verbBefore(frame, earlier)
  }
  return undefined
}

/** Index of the bracket that the one at `index` closes; what stands between says something of what stands before. */
function bracketBefore(frame: Frame, index: number): number {
  let i = index - 1
  while (i > 0 && frame.pieces[i]?.unit.lower !== '(') i--
  return i
}

/** "Anjali and I founded": those before "and I" act as well, where they begin the clause. */
function withUser(frame: Frame, index: number): Mention[] {
  if (frame.pieces[index - 1]?.unit.lower !== 'and' || !frame.pieces[index - 2]?.mention) return []
  const names = listEndingAt(frame, index - 2)
  const first = frame.pieces.findIndex(({ mention }) => mention !== undefined && mention === names[0])
  const before = frame.pieces[first - 1]?.unit
  return before === undefined || before.pos === 'PUNCT' || before.pos === 'SCONJ' ? names : []
}

/** Index of the preposition that governs the name at `index`. */
function phraseStart(frame: Frame, index: number): number {
  let i = index - 1
  while (i > 0 && !PREPOSITIONS.has(frame.pieces[i]?.unit.lower ?? '')) i--
  return i
}

/** "Ada , Ben and Eve" from its last name back. */
function listEndingAt(frame: Frame, index: number): Mention[] {
  const names: Mention[] = []
  for (let i = index; i >= 0; ) {
    const { mention } = frame.pieces[i] ?? {}
    if (!mention) break
    names.unshift(mention)
    const link = frame.pieces[i - 1]?.unit.lower ?? ''
    if (RELATIVES.has(link)) {
      const conjunction = frame.pieces.slice(Math.max(0, i - 4), i).findIndex(({ unit }) => unit.lower === 'and')
      if (conjunction < 0) break
      i = Math.max(0, i - 4) + conjunction - 1
      continue
    }
    if (!/^(?:and|und|y|e|et|,|&)$/.test(link) || (link === ',' && names.length === 1)) break
    const before = frame.pieces[i - 2]
    if (!before?.mention) break
    i -= 2
  }
  return names
}

function antecedent(frame: Frame, index: number): readonly Subject[] {
  let before = frame.pieces[index - 1]?.unit.lower === ',' ? index - 2 : index - 1
  if (APPOSED.has(frame.pieces[before]?.unit.lower ?? '') && frame.pieces[before - 1]?.mention) before--
  const piece = frame.pieces[before]
  return piece?.mention ? [piece.mention] : []
}

function verbBefore(frame: Frame, index: number): number {
  for (let i = index - 1; i >= 0 && i > index - BACK_MAX; i--) {
    const pos = frame.pieces[i]?.unit.pos
    if (!frame.pieces[i]?.mention && (pos === 'VERB' || pos === 'AUX')) return i
  }
  return -1
}

/** "Tess , a chef , works": the first name of the sentence when it stands free. */
export function sentenceSubject(frame: Frame, index: number): FoundSubject | undefined {
  for (let i = 0; i < index; i++) {
    const { mention } = frame.pieces[i] ?? {}
    if (mention)
      return isGoverned(frame, i) ? undefined : { subjects: listEndingAt(frame, listEnd(frame, i, index)), between: '' }
    if (USER.has(frame.pieces[i]?.unit.lower ?? '')) return { subjects: ['user'], between: '' }
  }
  return undefined
}

/** "left Acme to join Globex": the verb whose object the name at `index` is, for its subject joins; -1 where there is none. */
function governingVerb(frame: Frame, index: number): number {
  let i = index - 1
  while (i > 0 && DETERMINERS.has(frame.pieces[i]?.unit.lower ?? '')) i--
  const before = frame.pieces[i]
  return before && !before.mention && before.unit.pos === 'VERB' ? i : -1
}

/** "Bought out by his partners , Henk left": whom a clause at the start is about, named after it. */
function fronted(frame: Frame, index: number): readonly Subject[] {
  if (index > 2) return []
  for (let i = index + 1; i < frame.pieces.length - 2; i++) {
    if (frame.pieces[i]?.unit.lower !== ',') continue
    const at = /^(?:the|our|my)$/.test(frame.pieces[i + 1]?.unit.lower ?? '') ? i + 2 : i + 1
    const piece = frame.pieces[at]
    const acts = /^(?:VERB|AUX|ADV)$/.test(frame.pieces[at + 1]?.unit.pos ?? '')
    if (piece?.mention && acts) return [piece.mention]
    if (USER.has(piece?.unit.lower ?? '') && acts) return ['user']
  }
  return []
}

/** "Update on Ada : now at Acme": the sentence is about her. */
function topicBefore(frame: Frame, colon: number): Mention[] {
  const { mention } = frame.pieces[colon - 1] ?? {}
  return mention && colon < 5 && NEWS.has(frame.pieces[0]?.unit.lower ?? '') ? [mention] : []
}

/** Index of the last name of the list that begins at `from`, before `limit`. */
function listEnd(frame: Frame, from: number, limit: number): number {
  let at = from
  while (
    at + 2 < limit &&
    /^(?:and|,|&)$/.test(frame.pieces[at + 1]?.unit.lower ?? '') &&
    frame.pieces[at + 2]?.mention
  )
    at += 2
  return at
}

/** Notes leave out who they are about: "Works at Acme". An order ("Visit Rome") is about nobody. */
function implied(frame: Frame, index: number, between: readonly string[], talk: Talk): readonly Subject[] {
  const first = frame.pieces[Math.max(0, index - between.length)]?.unit
  const verb = frame.pieces[index]?.unit.lower ?? ''
  if (!first || /[?]/.test(frame.text)) return []
  const later = /(?:ed|en|t|ng|wn|ilt|un)$/.test(verb) ? fronted(frame, index) : []
  if (later.length > 0) return later
  const told = /(?:s|ed|ing)$/.test(verb) || NOTE_VERBS.has(verb) || between.length > 0
  if (!told || NO_NOTE_BEGINNINGS.has(first.lower)) return []
  return talk.people.length > 0 && /s$/.test(verb) ? talk.people.slice(-1) : ['user']
}

/** A possessive as the one it stands for: "my", "his", "Ada 's". */
export function ownersOf(word: string, frame: Frame, index: number, talk: Talk): readonly Subject[] {
  if (OWN.has(word)) return ['user']
  if (!OTHERS.has(word)) return []
  return personMeant(frame, index, talk)
}

export const PREPOSITIONS = wordSet(lexicons.PREPOSITIONS)
const CONJUNCTIONS = wordSet(lexicons.CONJUNCTIONS_OF_PEOPLE)
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

const MARK = /(?<= )["“”„«»](?= )/g

const BEFORE = new RegExp(`(?<= )${TELLS.replace('<M>', '[\\uE000-\\uF8FF]')} (?:, |: |that )?$`)

const NAMED_BEFORE = /[\uE000-\uF8FF] : $/

const AFTER = `<S> ${TELLS}|${TELLS} <O>`

/** A quotation that is never closed must not take the rest of a text with it. */
const SENTENCES_MAX = 5

/**
 * Tells who speaks at an offset of a sentence, undefined where nobody is quoted: "I" between quotation marks is the one who said
 * it. Marks around single words are no speech. Notes in `talk` what goes on in the next sentence.
 */
export function speechIn(frame: Frame, talk: Talk): (offset: number) => Speech | undefined {
  const marks = [...frame.text.matchAll(MARK)].map(({ index }) => index)
  if (marks.length === 0 && !talk.speech) return () => undefined
  const spans: { from: number; to: number; speech: Speech }[] = []
  let open = talk.speech ? { from: 0, speech: { ...talk.speech, sentences: talk.speech.sentences + 1 } } : undefined
  let isOpen = open !== undefined
  for (const mark of marks) {
    if (isOpen && open) spans.push({ ...open, to: mark })
    const close = marks.find(other => other > mark)
    open = isOpen ? undefined : opened(frame, talk, mark, close)
    isOpen = !isOpen
  }
  if (isOpen && open) spans.push({ ...open, to: frame.text.length })
  talk.speech = isOpen && open && open.speech.sentences < SENTENCES_MAX ? open.speech : undefined
  return offset => spans.find(({ from, to }) => offset >= from && offset < to)?.speech
}

function opened(frame: Frame, talk: Talk, mark: number, close: number | undefined) {
  const before = frame.text.slice(0, mark)
  const told = BEFORE.exec(before)
  const at = (speaker: Subject | undefined) => ({ from: mark, speech: { speaker, sentences: 0 } })
  if (told) return at(subjectBefore(frame, frame.pieceAt(told.index), talk)?.subjects[0])
  const named = NAMED_BEFORE.exec(before)
  if (named) return at(mentionsIn(frame, named[0])[0])
  if (close === undefined) return undefined
  const after = frame.text.slice(close + 1, close + 60)
  const [match] = after.matchAll(pattern(AFTER))
  if (match && match.index < 4) return at(mentionsIn(frame, match[0])[0])
  return TOLD_BEHIND.test(after) ? at(talk.people.at(-1)) : undefined
}

/** The one that "I" means: the user, or who is quoted. */
export function asSpoken(subjects: readonly Subject[], speech: Speech | undefined): readonly Subject[] {
  if (!speech) return subjects
  return subjects.flatMap(subject => (subject === 'user' ? (speech.speaker ?? []) : subject))
}
