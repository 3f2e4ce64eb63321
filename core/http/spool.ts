import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail } from '../errors.ts'
import { tooLarge } from './incoming-body.ts'
import { type ArrivingFile, HEAD_BYTES, HEAD_MAX_BYTES } from './incoming-file.ts'
import { KB, MB } from './sizes.ts'
import type { Transfers } from './transfers.ts'
import type { UploadedFile } from './upload.ts'

/** A file stays in memory up to this size. */
const IN_MEMORY_MAX_BYTES = 64 * KB

const READ_BYTES = 256 * KB

/** A file that arrived; `close` frees its memory or disk. */
export interface SpooledFile extends UploadedFile {
  close(): Promise<void>
}

/**
 * Stores a whole file and hashes it meanwhile. Throws what reading it throws, and SERVICE_UNAVAILABLE where there is no
 * room.
 *
 * @param holder names the one whose share of memory and disk it takes
 */
export async function spool(file: ArrivingFile, transfers: Transfers, holder: string): Promise<SpooledFile> {
  const store = new Store(transfers, holder)
  try {
    for await (const chunk of file) await store.append(chunk)
  } catch (error) {
    await store.close()
    throw error
  }
  const { name, filename, contentType } = file
  const identity = await file.rest()
  return {
    name,
    filename,
    contentType,
    size: store.size,
    sha256: identity?.sha256 ?? '',
    head: (bytes = HEAD_BYTES) => store.bytes(0, Math.min(bytes, HEAD_MAX_BYTES, store.size)),
    stream: ({ start = 0, end = store.size } = {}) => store.stream(start, Math.min(end, store.size)),
    async bytes(maxBytes = 16 * MB) {
      if (store.size > maxBytes) throw tooLarge({ maxBytes, tooLarge: 'FILE_TOO_LARGE' })
      return store.bytes(0, store.size)
    },
    [Symbol.asyncIterator]: () => store.stream(0, store.size),
    close: () => store.close(),
  }
}

/**
 * Holds bytes in memory, or beyond a bound in a file without a name, which is gone with the process whatever becomes of
 * it.
 */
class Store {
  readonly #transfers: Transfers
  readonly #holder: string
  #held: Uint8Array[] = []
  #handle: FileHandle | undefined
  /** Bytes reserved in memory and on disk. */
  #inMemory = 0
  #onDisk = 0
  #closed = false
  size = 0

  constructor(transfers: Transfers, holder: string) {
    this.#transfers = transfers
    this.#holder = holder
  }

  async append(chunk: Uint8Array): Promise<void> {
    this.size += chunk.length
    if (this.size <= IN_MEMORY_MAX_BYTES) {
      if (!this.#transfers.memory.reserve(this.#holder, chunk.length)) throw noRoom()
      this.#inMemory += chunk.length
      this.#held.push(chunk)
      return
    }
    for (const each of [...this.#held, chunk]) await this.#write(each)
    this.#letGo()
  }

  #letGo(): void {
    this.#held = []
    this.#transfers.memory.release(this.#holder, this.#inMemory)
    this.#inMemory = 0
  }

  async #write(chunk: Uint8Array): Promise<void> {
    if (!this.#transfers.disk.reserve(this.#holder, chunk.length)) throw noRoom()
    this.#onDisk += chunk.length
    try {
      this.#handle ??= await namelessFile()
      await this.#handle.writeFile(chunk)
    } catch (cause) {
      throw noRoom(cause)
    }
  }

  async bytes(start: number, end: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    for await (const chunk of this.stream(start, end)) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  async *stream(start: number, end: number): AsyncGenerator<Uint8Array> {
    if (!this.#handle) {
      const all = Buffer.concat(this.#held)
      if (end > start) yield all.subarray(start, end)
      return
    }
    for (let at = start; at < end; ) {
      if (this.#closed) throw new Error('an uploaded file is gone once its request has ended')
      const buffer = new Uint8Array(Math.min(READ_BYTES, end - at))
      const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, at)
      if (bytesRead === 0) throw new Error('an uploaded file was cut off on disk')
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#letGo()
    this.#transfers.disk.release(this.#holder, this.#onDisk)
    await this.#handle?.close()
  }
}

/** Opens a new file for this process alone, unlinked from its folder while it is open. */
async function namelessFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-upload-'))
  try {
    return await open(join(folder, 'file'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function noRoom(cause?: unknown) {
  return fail('SERVICE_UNAVAILABLE', { message: 'There is no room for the upload now.', retryAfterSeconds: 10, cause })
}
