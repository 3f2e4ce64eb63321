import { parentPort, workerData } from 'node:worker_threads'
import { Chunker, clean } from '../chunking/chunker.ts'
import { type Chunk, ReadingError } from '../document/document.ts'
import { readDocument } from './read-document.ts'
import type { ReaderMessage, ReaderTask } from './reader-protocol.ts'
import { blocksOfElements } from './unstructured/elements.ts'

const PAGE_WITHOUT_TEXT =
  'The page holds no text of its own, as pages do that JavaScript fills or that ask for a sign-in. Save it from a browser and send the file.'
/** Chunks that are handed over together. */
const BATCH = 250

/** The entry of a reader thread: reads one document and ends. */
async function main(): Promise<void> {
  const { document, elements = [], limits } = workerData as ReaderTask
  const outbox = new Outbox(limits.chunks)
  try {
    const { facts, blocks } = document
      ? await readDocument(document, limits)
      : { facts: {}, blocks: blocksOfElements(elements) }
    const chunker = new Chunker()
    for await (const block of blocks) await outbox.add(chunker.add([block]))
    await outbox.add(chunker.finish())
    await outbox.flush()
    if (outbox.sent === 0)
      throw new ReadingError('NO_TEXT', document?.format === 'HTML' ? PAGE_WITHOUT_TEXT : 'The file holds no text.')
    const { title, ...others } = facts
    post({ kind: 'done', facts: title === undefined ? others : { ...others, title: clean(title) } })
  } catch (error) {
    if (error instanceof ReadingError) post({ kind: 'failed', code: error.code, message: error.message })
    else if (error instanceof RangeError) {
      const message = 'The file nests its parts deeper, or has larger ones, than a document may.'
      post({ kind: 'failed', code: 'LIMIT_EXCEEDED', message })
    } else post({ kind: 'fault', message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) })
  }
}

class Outbox {
  sent = 0
  #waiting: Chunk[] = []

  constructor(private readonly chunksMax: number) {}

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
    const taken = new Promise<void>(resolve => parentPort?.once('message', () => resolve()))
    post({ kind: 'chunks', chunks })
    await taken
  }
}

function post(message: ReaderMessage): void {
  parentPort?.postMessage(message)
}

await main()
// The port keeps a thread alive as long as it is listened to.
parentPort?.close()
