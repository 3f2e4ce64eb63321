import { firstPersonIn, type LanguageDetector, languageDetector, paced, type Steps } from 'mneme/plugin'
import { TEXT_MAX } from '../../../memories/contract.ts'
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
import { withContrasts } from './contrasts.ts'
import { EntityBook } from './entity-book.ts'
import type { Fact } from './fact.ts'
import { factsIn, type SentenceFacts } from './facts.ts'
import { frameOf } from './frame.ts'
import { type Gazetteers, loadGazetteers } from './gazetteers.ts'
import { plainUnits } from './informal.ts'
import { LANGUAGES, type Language } from './language.ts'
import { findPieces, type Piece } from './mentions.ts'
import { statedNameIn } from './names-of-user.ts'
import { type Categorize, fileStatements, isOutput, type KeptSentence, keptOf, partsOf } from './statements.ts'
import type { Talk } from './talk.ts'
import { asFirstPerson } from './third-person.ts'
import { withTopics } from './topics.ts'
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
    const contrasted = withContrasts(frame, stated)
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
