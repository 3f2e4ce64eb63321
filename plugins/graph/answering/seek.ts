import type { LanguageDetector, Tx } from 'mneme/plugin'
import { datesIn, dateWordsIn, isPresent } from 'text-reader/dates'
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

/** A question that names a past day or span asks for what held then; one that names a time of now asks for what holds. */
function withTime(question: Question, { query, timezone: zone }: Asker): Question {
  const { time, unread, language } = question
  const now = new Date()
  const [asked] = datesIn(query, now, { language, zone }).filter(({ isDoubtful }) => !isDoubtful)
  if (!asked) return question
  const words = dateWordsIn(query, now, { language })
  const read = { ...question, unread: unread.filter(word => !words.has(word.toLowerCase())) }
  if (time.during || time.relative || isPresent(asked, now)) return read
  return { ...read, time: { ...time, tense: 'any', during: { from: asked.start, to: asked.end } } }
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
  const read = withTime(readQuestion(query, wordsOf(found), detector), asker)
  const named = await withOthers(tx, place, asker, read, found, vector)
  const question = { ...read, unread: stillUnread(read, named) }
  const texts = memoryTexts(tx, reader)
  const finding = await find({ tx, place, texts, text: query, question, named, limit })
  return { question, named, finding, texts }
}
