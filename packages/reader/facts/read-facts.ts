import {
  firstPersonIn,
  isWithin,
  type LanguageDetector,
  languageDetector,
  lexicons,
  unrealSpans,
  wordSet,
} from '../index.ts'
import { typedByNouns } from './context-types.ts'
import { EntityBook } from './entity-book.ts'
import { factsIn, type SentenceFacts, type Typing } from './facts.ts'
import { type Frame, frameOf, mentionsIn, pattern } from './frame.ts'
import { type Gazetteers, loadGazetteers } from './gazetteers.ts'
import { plainUnits } from './informal.ts'
import type { EntityType, KeptSentence, ReadText, RelationType, Span, ToldText } from './kinds.ts'
import { findPieces, type Piece, withConjuncts } from './mentions.ts'
import { phraseBetween } from './noun-phrases.ts'
import { ALWAYS, type Fact, LANGUAGES, type Language, type Mention, type Subject, type Talk } from './parts.ts'
import { INSTEAD, NOT_A_TOPIC, STATED_NAMES, TOPICS } from './rules/context.ts'
import { isOutput, keptOf, partsOf } from './statements.ts'
import { newWordsHeld, sentencesOf, type Unit } from './units.ts'

const ENTITIES_MAX = 300
const RELATIONS_MAX = 300

/** Work that may be interrupted wherever it yields. */
export type Steps<T> = Generator<undefined, T, undefined>

export interface FactReader {
  /** Reads a text by patterns and lists of names, the same way every time; it yields between sentences. */
  read(text: ToldText): Steps<ReadText>
  /** Words of its texts that it keeps for a while, and forgets before the next text where `drop` was called. */
  readonly newWords: { readonly maxBytes: number; bytes(): number; drop(): void }
}

/** Loads the lists of names, once in a process. */
export async function createFactReader(): Promise<FactReader> {
  const parts = { gazetteers: await loadGazetteers(), detector: await languageDetector() }
  return { read: text => readText(text, parts), newWords: newWordsHeld }
}

interface Parts {
  readonly gazetteers: Gazetteers
  readonly detector: LanguageDetector
}

function* readText(told: ToldText, { gazetteers, detector }: Parts): Steps<ReadText> {
  const units = yield* unitsOf(told.text)
  const language = detector.likeliest(told.text, LANGUAGES)
  const sentences = language === 'en' ? asFirstPerson(units) : units
  const talk: Talk = { people: [] }
  const book = new EntityBook(told)
  const kept: KeptSentence[] = []
  for (const [n, sentence] of sentences.entries()) {
    yield
    const span = spanOf(units[n] ?? sentence, told)
    const words = told.text.slice(span.start, span.end)
    if (isOutput(words)) continue
    const pieces = typedByNouns(piecesOf(sentence, language, gazetteers))
    const frame = frameOf(pieces, words)
    const read = factsIn(frame, language, talk, told.createdAt)
    const stated = told.isDocument && !firstPersonIn(words, language) ? ofOthers(read) : read
    const contrasted = withContrasts(frame, withoutUnreal(sentence, language, stated))
    const found = language === 'en' ? withTopics(frame, contrasted) : contrasted
    const { facts, typings } = found
    const userName = statedNameIn(frame)
    if (userName) book.nameUser(userName)
    book.note(pieces, found)
    talk.people =
      peopleOf(
        pieces,
        typings.flatMap(({ mention, type }) => (type === 'PERSON' ? mention.name : [])),
      ) ?? talk.people
    kept.push(...keptIn(told.text, span, facts, pieces))
  }
  return { ...book.close({ entitiesMax: ENTITIES_MAX, relationsMax: RELATIONS_MAX }), kept }
}

function piecesOf(sentence: readonly Unit[], language: Language, gazetteers: Gazetteers): readonly Piece[] {
  if (language !== 'en') return findPieces(sentence, language, gazetteers)
  return withConjuncts(findPieces(plainUnits(sentence), language, gazetteers))
}

/** The gate of factuality: what is only thought, wished, supposed or told as a story neither holds nor ends anything. */
function withoutUnreal(sentence: readonly Unit[], language: Language, found: SentenceFacts): SentenceFacts {
  const spans = unrealSpans(sentence, language)
  if (spans.length === 0) return found
  const isReal = (told: Span) => !isWithin(told, spans)
  return { ...found, facts: found.facts.filter(isReal), endings: found.endings.filter(isReal) }
}

/** A sentence without a subject is about the user in a note, and about nobody in a row of a table: "City: Lisbon". */
function ofOthers({ facts, endings, typings }: SentenceFacts): SentenceFacts {
  return {
    facts: facts.filter(({ source, target }) => source !== 'user' && target !== 'user'),
    endings: endings.filter(({ source }) => source !== 'user'),
    typings,
  }
}

/** The statements of a sentence: one, or several of a long one, each with the facts and names that stand in it. */
function keptIn(text: string, span: Span, facts: readonly Fact[], pieces: readonly Piece[]): KeptSentence[] {
  const parts = partsOf(text, span)
  return parts.flatMap(part => {
    const holds = (start: number) => parts.length === 1 || (start >= part.start && start < part.end)
    const relations = facts.flatMap(({ type, start }) => (holds(start) ? [type] : []))
    const names = pieces.filter(({ mention }) => mention && holds(mention.start)).length
    const isFirstPerson = firstPersonIn(text.slice(part.start, part.end)) !== undefined
    return keptOf(text, { span: part, relations, names, isFirstPerson }) ?? []
  })
}

/** A sentence's place, without the user's id that stands before what another user said as well ("bob: I love sushi"). */
function spanOf(sentence: readonly Unit[], { text, userId }: ToldText): Span {
  const start = sentence[0]?.start ?? 0
  const speaker = `${userId}: `
  const end = sentence.at(-1)?.end ?? 0
  const isNamed = start === 0 && text.startsWith(speaker) && end > speaker.length
  return { start: isNamed ? speaker.length : start, end }
}

function* unitsOf(text: string): Steps<Unit[][]> {
  const sentences: Unit[][] = []
  for (const sentence of sentencesOf(text)) {
    sentences.push(sentence)
    yield
  }
  return sentences
}

/** Finds whom "she" in the next sentence means: people named at the start of this one. */
function peopleOf(pieces: readonly Piece[], known: readonly string[]) {
  const people = pieces.flatMap(({ mention }) =>
    mention && (mention.type === 'PERSON' || (mention.type === undefined && known.includes(mention.name)))
      ? mention
      : [],
  )
  return people.length > 0 ? people.slice(0, 1) : undefined
}

/** The name by which the user goes, where a sentence states it. */
function statedNameIn(frame: Frame): Mention | undefined {
  for (const [i, source] of STATED_NAMES.entries()) {
    for (const match of frame.text.matchAll(pattern(source))) {
      const [mention] = mentionsIn(frame, match.groups?.o ?? '')
      const isName =
        mention?.type === 'PERSON' || (mention?.type === undefined && i === 0) || (i === 0 && mention?.type === 'PLACE')
      if (mention && isName) return mention
    }
  }
  return undefined
}

/** Nouns for single-valued facts: when one is said to be over, the words after it name the old value. */
const REPLACED: ReadonlyMap<RelationType, EntityType> = new Map([
  ['LIVES_IN', 'PLACE'],
  ['WORKS_AT', 'ORGANIZATION'],
  ['REPORTS_TO', 'PERSON'],
  ['USES_TECHNOLOGY', 'THING'],
])

/** Adds what a sentence names in place of what it says is over, where the verb is left out. */
function withContrasts(frame: Frame, found: SentenceFacts): SentenceFacts {
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

const COMPOUNDS = wordSet(lexicons.USER_COMPOUNDS)

const PLURALS = wordSet(lexicons.PLURAL_NOUNS)

const BEFORE = wordSet(lexicons.BEFORE_USER)

const OWN = new Map(Object.entries(lexicons.PRONOUNS_OF_USER))

/**
 * Reads what an agent writes of its user as if the user had written it: "the user's sister" is "my sister", and in a text that
 * speaks so, "they" and "their" are the user again, unless several people or things were named in between.
 */
function asFirstPerson(sentences: readonly Unit[][]): readonly Unit[][] {
  if (!sentences.some(units => units.some((_, i) => isUser(units, i)))) return sentences
  let spoken = false
  let plural = false
  return sentences.map(units => {
    const read: Unit[] = []
    for (let i = 0; i < units.length; i++) {
      const unit = units[i]
      if (!unit) break
      if (isUser(units, i)) {
        if (read.at(-1)?.lower === 'the') read.pop()
        const owner = units[i + 1]
        if (owner && /^['’]s?$/.test(owner.text)) {
          read.push({ ...unit, lower: 'my', end: owner.end, pos: 'PRON' })
          i++
        } else read.push({ ...unit, lower: 'i', pos: 'PRON' })
        spoken = true
        plural = false
        continue
      }
      plural ||= PLURALS.has(unit.lower) || joinsNames(units, i)
      const own = spoken && !plural ? OWN.get(unit.lower) : undefined
      read.push(own ? { ...unit, lower: own } : unit)
    }
    return read
  })
}

function isUser(units: readonly Unit[], at: number): boolean {
  const unit = units[at]
  if (unit?.lower !== 'user' || COMPOUNDS.has(units[at + 1]?.lower ?? '') || units[at + 1]?.text === ':') return false
  const before = units[at - 1]
  if (before?.lower === 'the') return true
  return !before || (BEFORE.has(before.lower) && (unit.text === 'User' || !/^\p{L}/u.test(before.text)))
}

/** "Ana and Luis" */
function joinsNames(units: readonly Unit[], at: number): boolean {
  return units[at]?.lower === 'and' && isCapital(units[at - 1]) && isCapital(units[at + 1])
}

function isCapital(unit: Unit | undefined): boolean {
  return /^\p{Lu}/u.test(unit?.text ?? '')
}

/** Adds what pleases, or pleases no more, where it is the subject: "sushi bores me now". */
function withTopics(frame: Frame, found: SentenceFacts): SentenceFacts {
  if (frame.isQuestion) return found
  const facts: Fact[] = []
  const typings: Typing[] = []
  for (const [source, isOver] of TOPICS) {
    for (const match of frame.text.matchAll(pattern(source))) {
      const who = subjectIn(frame, match)
      const topic = topicIn(frame, match)
      if (!who || !topic || facts.some(({ target }) => target === topic)) continue
      typings.push({ mention: topic, type: topic.type ?? ('THING' satisfies EntityType) })
      if (who !== 'user') typings.push({ mention: who, type: 'PERSON' })
      const ends = isOver ? { onlyEnds: true } : {}
      const { start, end } = topic
      facts.push({
        type: 'LIKES',
        source: who,
        target: topic,
        closes: isOver,
        ...ends,
        confidence: 0.75,
        validity: ALWAYS,
        start,
        end,
      })
    }
  }
  return facts.length === 0
    ? found
    : { ...found, facts: [...found.facts, ...facts], typings: [...found.typings, ...typings] }
}

function subjectIn(frame: Frame, match: RegExpExecArray): Subject | undefined {
  if (!match.groups?.s) return 'user'
  const [one, ...more] = mentionsIn(frame, match.groups.s)
  if (!one || more.length > 0) return undefined
  // First names are small towns too.
  const { type = 'PERSON', confidence } = one
  return type === 'PERSON' || (type === 'PLACE' && confidence < 0.7) ? one : undefined
}

function topicIn(frame: Frame, match: RegExpExecArray): Mention | undefined {
  const words = match.groups?.t ?? ''
  const [name, ...more] = mentionsIn(frame, words)
  if (name) return more.length === 0 && words.length === 1 ? name : undefined
  if (NOT_A_TOPIC.test(words)) return undefined
  const from = frame.pieceAt(match.index + match[0].indexOf(words))
  return phraseBetween(frame, from, from + words.split(' ').length)
}
