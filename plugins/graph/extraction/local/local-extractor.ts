import {
  firstPersonIn,
  isWithin,
  type LanguageDetector,
  languageDetector,
  lexicons,
  paced,
  type Steps,
  unrealSpans,
  wordSet,
} from 'mneme/plugin'
import { TEXT_MAX } from '../../../memories/contract.ts'
import type { EntityType, RelationType } from '../../contract.ts'
import {
  type ExtractedEnding,
  type ExtractedEntity,
  type ExtractedRelation,
  type Extractor,
  LOCAL_ID,
  type MemoryToExtract,
  type Span,
} from '../../contract.ts'
import { withConjuncts } from './conjuncts.ts'
import { typedByNouns } from './context-types.ts'
import { EntityBook } from './entity-book.ts'
import type { Fact } from './fact.ts'
import type { Typing } from './facts.ts'
import { factsIn, type SentenceFacts } from './facts.ts'
import type { Frame } from './frame.ts'
import { frameOf, mentionsIn, pattern } from './frame.ts'
import { type Gazetteers, loadGazetteers } from './gazetteers.ts'
import { plainUnits } from './informal.ts'
import { LANGUAGES, type Language } from './language.ts'
import type { Mention } from './mention.ts'
import { findPieces, type Piece } from './mentions.ts'
import { phraseBetween } from './noun-phrases.ts'
import { INSTEAD } from './rules/contrasts.ts'
import { STATED_NAMES } from './rules/names-of-user.ts'
import { NOT_A_TOPIC, TOPICS } from './rules/topics.ts'
import { type Categorize, fileStatements, isOutput, type KeptSentence, keptOf, partsOf } from './statements.ts'
import type { Subject, Talk } from './talk.ts'
import { ALWAYS } from './times.ts'
import { sentencesOf, type Unit } from './units.ts'

export interface LocalExtractorOptions {
  /** For statements whose category their facts do not tell; without it they are `general`. */
  readonly categorize?: Categorize
}

const ENTITIES_MAX = 300
const RELATIONS_MAX = 300

/**
 * Reads texts by patterns and lists of names: no model, no network, the same answer every time. Lets the event loop turn between
 * sentences.
 */
export function createLocalExtractor({ categorize }: LocalExtractorOptions = {}): Extractor {
  return {
    id: LOCAL_ID,
    async extract(workspaceId, memories, signal) {
      signal.throwIfAborted()
      if (memories.length === 0) return []
      const parts = { gazetteers: await loadGazetteers(), detector: await languageDetector() }
      const read = await paced(readAll(memories, parts, signal))
      const statements = await fileStatements(read, categorize, { workspaceId, signal })
      return read.map(({ memory, entities, relations, endings }, i) => ({
        memoryId: memory.id,
        extractedBy: LOCAL_ID,
        entities,
        relations,
        ...(endings.length > 0 ? { endings } : {}),
        statements: statements[i] ?? [],
      }))
    },
  }
}

interface ReadMemory {
  readonly memory: MemoryToExtract
  readonly entities: readonly ExtractedEntity[]
  readonly relations: readonly ExtractedRelation[]
  readonly endings: readonly ExtractedEnding[]
  readonly kept: readonly KeptSentence[]
}

interface Parts {
  readonly gazetteers: Gazetteers
  readonly detector: LanguageDetector
}

function* readAll(memories: readonly MemoryToExtract[], parts: Parts, signal: AbortSignal): Steps<ReadMemory[]> {
  const all: ReadMemory[] = []
  for (const memory of memories) all.push(yield* readMemory(memory, parts, signal))
  return all
}

function* readMemory(memory: MemoryToExtract, { gazetteers, detector }: Parts, signal: AbortSignal): Steps<ReadMemory> {
  const units = yield* unitsOf(memory.text.slice(0, TEXT_MAX))
  const language = detector.likeliest(memory.text, LANGUAGES)
  const sentences = language === 'en' ? asFirstPerson(units) : units
  const talk: Talk = { people: [] }
  const book = new EntityBook(memory)
  const kept: KeptSentence[] = []
  for (const [n, sentence] of sentences.entries()) {
    yield
    signal.throwIfAborted()
    const span = spanOf(units[n] ?? sentence, memory)
    const words = memory.text.slice(span.start, span.end)
    if (isOutput(words)) continue
    const pieces = typedByNouns(piecesOf(sentence, language, gazetteers))
    const frame = frameOf(pieces, words)
    const read = factsIn(frame, language, talk, memory.createdAt)
    const stated = memory.isDocument && !firstPersonIn(words, language) ? ofOthers(read) : read
    const real = withoutUnreal(sentence, language, stated)
    const contrasted = withContrasts(frame, real)
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
    kept.push(...keptIn(memory.text, span, facts, pieces))
  }
  return { memory, ...book.close({ entitiesMax: ENTITIES_MAX, relationsMax: RELATIONS_MAX }), kept }
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
function spanOf(sentence: readonly Unit[], { text, userId }: MemoryToExtract): Span {
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

/** The name by which the user of a memory goes, where a sentence states it. */
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
