import { AppError } from 'mneme/plugin'
import { screener } from '../../memories/contract.ts'
import { Chunker, clean } from '../chunking/chunker.ts'
import { type Chunk, type DocumentFacts, damagedFile, ReadingError } from '../document/document.ts'
import { readDocument } from './read-document.ts'
import type { ChunkSink } from './reader.ts'
import type { ReaderTask } from './reader-protocol.ts'
import type { Parsed } from './reading.ts'
import { blocksOfElements } from './unstructured/elements.ts'

const PAGE_WITHOUT_TEXT =
  'The page holds no text of its own, as pages do that JavaScript fills or that ask for a sign-in. Save it from a browser and send the file.'
/** Chunks that are handed over together. */
const BATCH = 250

/**
 * Reads one document and hands its chunks to the sink, which is waited for. A reader thread does this and ends.
 *
 * @throws ReadingError whatever a parser fell over, with the parser's own error as its cause
 */
export async function readTask(
  { document, elements = [], limits, secrets = 'keep' }: ReaderTask,
  sink: ChunkSink,
): Promise<DocumentFacts> {
  const outbox = new Outbox(limits.chunks, sink)
  try {
    const { blocks, ...facts }: Parsed = document
      ? await readDocument(document, limits)
      : { blocks: blocksOfElements(elements) }
    const chunker = new Chunker()
    // A private key is longer than a chunk, so blocks are looked at before they are divided.
    const screened = await screener(secrets)
    for await (const block of blocks) await outbox.add(chunker.add([screened(block)]))
    await outbox.add(chunker.finish())
    await outbox.flush()
    if (outbox.sent === 0)
      throw new ReadingError('NO_TEXT', document?.format === 'HTML' ? PAGE_WITHOUT_TEXT : 'The file holds no text.')
    const { title, ...others } = facts
    return title === undefined ? others : { ...others, title: clean(screened(title)) }
  } catch (error) {
    throw readingError(error)
  }
}

function readingError(error: unknown): ReadingError {
  if (error instanceof ReadingError) return error
  if (error instanceof AppError && error.code === 'SECRET_REFUSED')
    return new ReadingError('SECRET_REFUSED', error.message)
  if (error instanceof RangeError) {
    const message = 'The file nests its parts deeper, or has larger ones, than a document may.'
    return new ReadingError('LIMIT_EXCEEDED', message, { cause: error })
  }
  return damagedFile(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
}

class Outbox {
  sent = 0
  #waiting: Chunk[] = []

  constructor(
    private readonly chunksMax: number,
    private readonly sink: ChunkSink,
  ) {}

  async add(chunks: readonly Chunk[]): Promise<void> {
    if (chunks.length === 0) return
    for (const chunk of chunks) this.#waiting.push(chunk)
    if (this.sent + this.#waiting.length > this.chunksMax) {
      throw new ReadingError(
        'LIMIT_EXCEEDED',
        `The file makes more than ${this.chunksMax} memories. Divide it and send its parts.`,
      )
    }
    if (this.#waiting.length >= BATCH) await this.flush()
  }

  async flush(): Promise<void> {
    if (this.#waiting.length === 0) return
    const chunks = this.#waiting.splice(0)
    this.sent += chunks.length
    await this.sink(chunks)
  }
}
