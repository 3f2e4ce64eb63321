import type { LanguageDetector, Tx } from 'mneme/plugin'
import { type Question, readQuestion } from 'text-reader/inquiries'
import type { MemoryReader } from '../../memories/contract.ts'
import type { TextVector } from '../reading/query-vector.ts'
import type { PossibleName } from '../reading/spotting.ts'
import type { Place } from './facts.ts'
import { find } from './find.ts'
import { type Asker, namedIn, stillUnread, withOthers, wordsOf } from './named.ts'
import { type MemoryTexts, memoryTexts } from './texts.ts'
import type { Finding, Named } from './verdict.ts'

/** The part of a question's work that needs no transaction. */
export interface Prepared {
  readonly names: readonly PossibleName[]
  /** Undefined where nothing is looked for by what words describe. */
  readonly vector: TextVector | undefined
  readonly detector: LanguageDetector
}

/** A question as the graph understands it, and its answer. */
export interface Sought {
  /** Its unread words are those that no name explains either. */
  readonly question: Question
  readonly named: readonly Named[]
  readonly finding: Finding
  /** The memories that were read for it. */
  readonly texts: MemoryTexts
}

/** Reads a question with the names that the graph knows, and finds the facts that answer it. */
export async function seek(
  tx: Tx,
  place: Place,
  reader: Pick<MemoryReader, 'records'>,
  asker: Asker,
  { names, vector, detector }: Prepared,
): Promise<Sought> {
  const { query, limit } = asker
  const found = await namedIn(tx, place, names, limit)
  const read = readQuestion(query, wordsOf(found), detector)
  const named = await withOthers(tx, place, asker, read, found, vector)
  const question = { ...read, unread: stillUnread(read, named) }
  const texts = memoryTexts(tx, reader)
  const finding = await find({ tx, place, texts, text: query, question, named, limit })
  return { question, named, finding, texts }
}
