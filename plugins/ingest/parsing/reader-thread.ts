import { parentPort, workerData } from 'node:worker_threads'
import { type Chunk, ReadingError } from '../document/document.ts'
import { readTask } from './read-task.ts'
import type { ReaderMessage, ReaderTask } from './reader-protocol.ts'

const TOO_LARGE = {
  code: 'LIMIT_EXCEEDED',
  message: 'The file has a part that is far larger than a document may have when it is unpacked.',
} as const

/** The entry of a reader thread: reads one document and ends. */
async function main(): Promise<void> {
  const task = workerData as ReaderTask
  limitBuffers(task.limits.bufferBytes, () => post({ kind: 'failed', ...TOO_LARGE }))
  try {
    post({ kind: 'done', facts: await readTask(task, handOver) })
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error
    const { code, message, cause } = error
    post({ kind: 'failed', code, message, ...(cause instanceof Error ? { reason: cause.message } : {}) })
  }
}

/** Hands chunks over, and waits until they are stored. */
async function handOver(chunks: readonly Chunk[]): Promise<void> {
  const taken = new Promise<void>(resolve => parentPort?.once('message', () => resolve()))
  post({ kind: 'chunks', chunks })
  await taken
}

function post(message: ReaderMessage): void {
  parentPort?.postMessage(message)
}

await main()
// The port keeps a thread alive as long as it is listened to. Deno's cannot be closed; there the reader ends the thread.
if (parentPort && 'close' in parentPort) parentPort.close()

/**
 * Has this thread make no buffer that is larger: pdf.js unpacks a stream into one, whatever its size, and a file of a megabyte can hold a
 * gigabyte of them. Only for a thread that ends with its document.
 *
 * @param refuse is called before the code that asks for such a buffer gets a RangeError, which parsers may pass over
 */
function limitBuffers(bytesMax: number, refuse: () => void): void {
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct(target, args, newTarget) {
      if (typeof args[0] === 'number' && args[0] > bytesMax) {
        refuse()
        throw new RangeError(`a buffer of ${args[0]} bytes is larger than what a document may need`)
      }
      return Reflect.construct(target, args, newTarget)
    },
  })
  // It gathers what it unpacks outside of any buffer; pdf.js unpacks by itself where there is none.
  Reflect.deleteProperty(globalThis, 'DecompressionStream')
}
