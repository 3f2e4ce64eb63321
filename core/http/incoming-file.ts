import { createHash, type Hash } from 'node:crypto'
import { type BodyLimit, tooLarge } from './incoming-body.ts'
import type { Part } from './multipart.ts'
import { KB } from './sizes.ts'
import type { IncomingFile } from './upload.ts'

/** Sniffers of file types look no further than this. */
export const HEAD_BYTES = 4100
export const HEAD_MAX_BYTES = 64 * KB

/** Identifies a file's content, once it was read whole. */
interface Identity {
  readonly size: number
  readonly sha256: string
}

/** Passes a file on as it arrives: it counts and hashes the bytes, and lets the first ones be looked at. */
export class ArrivingFile implements IncomingFile {
  readonly name: string
  readonly filename: string | undefined
  readonly contentType: string
  readonly #bytes: AsyncGenerator<Uint8Array>
  /** These bytes were looked at, but not read. */
  #ahead: Uint8Array[] = []
  #identity: Identity | undefined
  #isRead = false

  /** @param hashes whether {@link rest} has to tell its SHA-256 */
  constructor({ name, filename, contentType, content }: Part, limit: BodyLimit, hashes: boolean) {
    this.name = name
    this.filename = filename
    this.contentType = contentType
    this.#bytes = this.#counted(content, limit, hashes ? createHash('sha256') : undefined)
  }

  async head(bytes = HEAD_BYTES): Promise<Uint8Array> {
    const wanted = Math.min(bytes, HEAD_MAX_BYTES)
    let held = this.#ahead.reduce((sum, chunk) => sum + chunk.length, 0)
    while (held < wanted) {
      const { done, value } = await this.#bytes.next()
      if (done) break
      this.#ahead.push(value)
      held += value.length
    }
    return Buffer.concat(this.#ahead).subarray(0, wanted)
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    if (this.#isRead) throw new Error('a file of an upload can be read once')
    this.#isRead = true
    // The iterator has no `return`, so that a reader that stops early leaves the rest to be skipped.
    return { next: () => this.#next() }
  }

  /**
   * Reads the rest of the file.
   * @returns undefined where hashes are not asked for
   */
  async rest(): Promise<Identity | undefined> {
    while (!(await this.#next()).done);
    return this.#identity
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    const value = this.#ahead.shift()
    return value ? { done: false, value } : this.#bytes.next()
  }

  async *#counted(content: AsyncIterable<Uint8Array>, limit: BodyLimit, hash: Hash | undefined) {
    let size = 0
    for await (const chunk of content) {
      size += chunk.length
      if (size > limit.maxBytes) throw tooLarge(limit)
      hash?.update(chunk)
      yield chunk
    }
    if (hash) this.#identity = { size, sha256: hash.digest('hex') }
  }
}
