import { closeSync, openSync, readSync } from 'node:fs'

/** Locates a tensor's elements in the file: little-endian, row by row. */
export interface TensorEntry {
  readonly dtype: string
  readonly shape: readonly number[]
  /** Counted from the start of the file, in bytes. */
  readonly offset: number
  readonly length: number
}

/** A larger header is not one of ours; the bound keeps a damaged file from asking for all memory. */
const HEADER_BYTES_MAX = 16 * 1024 * 1024

/**
 * Reads a safetensors file of half-precision weights tensor by tensor: touching 45 MB of fresh memory at once costs
 * more start-up time than all the arithmetic on it. Layout: u64 header length, JSON header, data
 * (https://github.com/huggingface/safetensors).
 */
export class SafetensorsFile {
  readonly path: string
  readonly #file: number
  readonly #entries: ReadonlyMap<string, TensorEntry>

  constructor(path: string) {
    this.path = path
    this.#file = openSync(path, 'r')
    try {
      this.#entries = this.#readEntries()
    } catch (error) {
      closeSync(this.#file)
      throw error
    }
  }

  /** @throws Error when the file has no half-precision tensor of this name */
  entry(name: string): TensorEntry {
    const entry = this.#entries.get(name)
    if (entry?.dtype !== 'F16') throw new Error(`${this.path} has no half-precision tensor ${name}`)
    return entry
  }

  /** Returns the tensor's values, widened. The copy is aligned, which slices of the file are not. */
  floats(name: string): Float32Array {
    const { offset, length } = this.entry(name)
    return new Float32Array(new Float16Array(this.#read(offset, length).buffer))
  }

  close(): void {
    closeSync(this.#file)
  }

  #readEntries(): ReadonlyMap<string, TensorEntry> {
    const headerLength = Number(new DataView(this.#read(0, 8).buffer).getBigUint64(0, true))
    if (headerLength > HEADER_BYTES_MAX) throw new Error(`${this.path} is not a safetensors file`)
    const header: unknown = JSON.parse(new TextDecoder().decode(this.#read(8, headerLength)))
    const entries = new Map<string, TensorEntry>()
    for (const [name, value] of Object.entries(Object(header))) {
      if (name !== '__metadata__') entries.set(name, parseEntry(name, value, 8 + headerLength))
    }
    return entries
  }

  #read(position: number, length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length)
    let done = 0
    while (done < length) {
      const count = readSync(this.#file, bytes, done, length - done, position + done)
      if (count === 0) throw new Error(`${this.path} ends early`)
      done += count
    }
    return bytes
  }
}

function parseEntry(name: string, value: unknown, dataStart: number): TensorEntry {
  const { dtype, shape, data_offsets: range } = Object(value)
  const wellFormed = typeof dtype === 'string' && isNaturals(shape) && isNaturals(range) && range.length === 2
  if (!wellFormed) throw new Error(`the safetensors entry ${name} is malformed`)
  const [start = 0, end = 0] = range
  return { dtype, shape, offset: dataStart + start, length: end - start }
}

function isNaturals(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every(item => Number.isSafeInteger(item) && item >= 0)
}
