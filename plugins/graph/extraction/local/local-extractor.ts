import type { ExtractedEntity, ExtractedRelation, Extraction, Extractor, MemoryToExtract } from '../../contract.ts'
import { EntityBook } from './entity-book.ts'
import { factsIn } from './facts.ts'
import { frameOf } from './frame.ts'
import { type Gazetteers, loadGazetteers } from './gazetteers.ts'
import { languageOf } from './language.ts'
import { findPieces, type Piece } from './mentions.ts'
import { statedNameIn } from './names-of-user.ts'
import { type Categorize, filed, type ReadSentence } from './statements.ts'
import type { Talk } from './subjects.ts'
import { sentencesOf } from './units.ts'

export interface LocalExtractorOptions {
  /** For statements whose category their facts do not tell; without it they are `general`. */
  readonly categorize?: Categorize
}

const ID = 'local'
/** Characters of a memory that are read. */
const TEXT_MAX = 50_000
const ENTITIES_MAX = 300
const RELATIONS_MAX = 300
const FIRST_PERSON =
  /(?:^|[\s"“(¿¡])(?:i|i'm|i've|my|we|our|ich|mein|meine|wir|yo|mi|me|nous|je|j'|mon|ma|mes)(?=[\s'’,.])/iu

/** Reads texts by patterns and lists of names: no model, no network, the same answer every time. */
export function createLocalExtractor({ categorize }: LocalExtractorOptions = {}): Extractor {
  return {
    id: ID,
    async extract(_workspaceId, memories, signal) {
      const gazetteers = await loadGazetteers()
      const extractions: Extraction[] = []
      for (const memory of memories) {
        signal.throwIfAborted()
        extractions.push(await extractOne(memory, gazetteers, categorize, signal))
      }
      return extractions
    },
  }
}

async function extractOne(
  memory: MemoryToExtract,
  gazetteers: Gazetteers,
  categorize: Categorize | undefined,
  signal: AbortSignal,
): Promise<Extraction> {
  const { entities, relations, sentences } = readFacts(memory, gazetteers)
  const statements = await filed(memory.text, sentences, categorize, signal)
  return { memoryId: memory.id, extractedBy: ID, entities, relations, statements }
}

interface ReadFacts {
  readonly entities: readonly ExtractedEntity[]
  readonly relations: readonly ExtractedRelation[]
  readonly sentences: readonly ReadSentence[]
}

function readFacts(memory: MemoryToExtract, gazetteers: Gazetteers): ReadFacts {
  const text = memory.text.slice(0, TEXT_MAX)
  const units = sentencesOf(text)
  const language = languageOf(units.flat())
  const talk: Talk = { people: [] }
  const book = new EntityBook(memory)
  const sentences: ReadSentence[] = []
  for (const sentence of units) {
    const pieces = findPieces(sentence, language, gazetteers)
    const frame = frameOf(pieces)
    const { facts, typings } = factsIn(frame, language, talk, memory.createdAt)
    const userName = statedNameIn(frame)
    if (userName) book.nameUser(userName)
    book.note(pieces, typings, facts)
    talk.people =
      peopleOf(
        pieces,
        typings.flatMap(({ mention, type }) => (type === 'PERSON' ? mention.name : [])),
      ) ?? talk.people
    const span = { start: sentence[0]?.start ?? 0, end: sentence.at(-1)?.end ?? 0 }
    const names = pieces.filter(({ mention }) => mention).length
    const isFirstPerson = FIRST_PERSON.test(memory.text.slice(span.start, span.end))
    sentences.push({ span, relations: facts.map(({ type }) => type), names, isFirstPerson })
  }
  return { ...book.close({ entitiesMax: ENTITIES_MAX, relationsMax: RELATIONS_MAX }), sentences }
}

/** Whom "she" in the next sentence means: people named at the start of this one. */
function peopleOf(pieces: readonly Piece[], known: readonly string[]) {
  const people = pieces.flatMap(({ mention }) =>
    mention && (mention.type === 'PERSON' || (mention.type === undefined && known.includes(mention.name)))
      ? mention
      : [],
  )
  return people.length > 0 ? people.slice(0, 1) : undefined
}
