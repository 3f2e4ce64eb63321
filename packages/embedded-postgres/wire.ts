/**
 * Framing of the Postgres wire protocol, version 3 (chapter "Frontend/Backend Protocol" of the Postgres manual).
 *
 * A frame is one type byte, an int32 length that counts itself and the body, and the body. The packets a client sends
 * before the session starts carry no type byte.
 */

/** Bytes of a typed frame before its body. */
export const headerBytes = 5

/** The one-letter types of the frames that the multiplexer looks at, as byte values. */
export const FrontendType = {
  bind: 0x42,
  close: 0x43,
  copyData: 0x64,
  copyDone: 0x63,
  copyFail: 0x66,
  describe: 0x44,
  execute: 0x45,
  flush: 0x48,
  functionCall: 0x46,
  parse: 0x50,
  password: 0x70,
  query: 0x51,
  sync: 0x53,
  terminate: 0x58,
} as const

export const BackendType = {
  authentication: 0x52,
  backendKeyData: 0x4b,
  closeComplete: 0x33,
  commandComplete: 0x43,
  copyInResponse: 0x47,
  dataRow: 0x44,
  error: 0x45,
  notification: 0x41,
  parameterStatus: 0x53,
  parseComplete: 0x31,
  readyForQuery: 0x5a,
} as const

/** Transaction status in ReadyForQuery: idle, in a transaction, in a failed transaction. */
export type TransactionStatus = 'I' | 'T' | 'E'

/** A client broke the protocol or a bound; `code` is the SQLSTATE to reply with before its connection is closed. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

/** Cuts a byte stream into frames. At most one frame, and never more than the bound of its kind, is held back. */
export class FrameReader {
  #chunks: Uint8Array[] = []
  #length = 0
  #typed = false
  #maxBytes: number

  /** `maxBytes` bounds every frame until `allow` is called. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Frames carry a type byte once the start-up packet has been read. */
  expectTyped(): void {
    this.#typed = true
  }

  /** Raises the bound, in bytes, when the client has proved who it is. */
  allow(maxBytes: number): void {
    this.#maxBytes = maxBytes
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
  }

  /** Returns the next complete frame, header included; undefined until more bytes come. Throws ProtocolError. */
  next(): Uint8Array | undefined {
    const lengthAt = this.#typed ? 1 : 0
    if (this.#length < lengthAt + 4) return undefined
    const total = lengthAt + int32At(this.#peek(lengthAt + 4), lengthAt)
    if (total < lengthAt + 4) throw new ProtocolError('08P01', 'invalid message length')
    if (total > this.#maxBytes) {
      throw new ProtocolError('54000', `message of ${total} bytes is over the limit of ${this.#maxBytes} bytes`)
    }
    if (this.#length < total) return undefined
    const all = this.#join()
    const rest = all.subarray(total)
    this.#chunks = rest.length > 0 ? [rest] : []
    this.#length = rest.length
    return all.subarray(0, total)
  }

  #peek(bytes: number): Uint8Array {
    const first = this.#chunks[0]
    return first !== undefined && first.length >= bytes ? first : this.#join()
  }

  /**
   * Chunks are joined only when a whole frame has come or its header is split, so that a large frame is not copied per
   * packet.
   */
  #join(): Uint8Array {
    const joined = concat(this.#chunks)
    this.#chunks = [joined]
    return joined
  }
}

/** One frame inside a buffer that holds several: `buffer.subarray(start, end)`. */
export interface FrameSpan {
  type: number
  start: number
  end: number
}

/** Yields the frames of a buffer that holds whole frames only, as the backend's output does. */
export function* spans(buffer: Uint8Array): Generator<FrameSpan> {
  let start = 0
  while (start + headerBytes <= buffer.length) {
    const end = start + 1 + int32At(buffer, start + 1)
    yield { type: buffer[start] ?? 0, start, end }
    start = end
  }
}

export function frame(type: number, ...body: Uint8Array[]): Uint8Array {
  const length = body.reduce((sum, part) => sum + part.length, 4)
  return concat([Uint8Array.of(type), int32(length), ...body])
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export function cString(text: string): Uint8Array {
  return encoder.encode(`${text}\0`)
}

export function int32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setInt32(0, value)
  return bytes
}

export function int32At(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getInt32(at)
}

/** Returns the index of the zero byte that ends the string at `from`. Throws ProtocolError when there is none. */
export function endOfString(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(0, from)
  if (end < 0) throw new ProtocolError('08P01', 'invalid string in message')
  return end
}

export function stringAt(bytes: Uint8Array, from: number): string {
  return decoder.decode(bytes.subarray(from, endOfString(bytes, from)))
}

export function queryFrame(sql: string): Uint8Array {
  return frame(FrontendType.query, cString(sql))
}

export const syncFrame = frame(FrontendType.sync)

export function errorFrame(severity: 'ERROR' | 'FATAL', code: string, message: string): Uint8Array {
  const fields = [`S${severity}`, `V${severity}`, `C${code}`, `M${message}`]
  return frame(BackendType.error, ...fields.map(cString), Uint8Array.of(0))
}

export function readyFrame(status: TransactionStatus): Uint8Array {
  return frame(BackendType.readyForQuery, encoder.encode(status))
}

export function parameterFrame(name: string, value: string): Uint8Array {
  return frame(BackendType.parameterStatus, cString(name), cString(value))
}

/** AuthenticationOk is 0, AuthenticationCleartextPassword is 3. */
export function authenticationFrame(kind: 0 | 3): Uint8Array {
  return frame(BackendType.authentication, int32(kind))
}

/** Clients must be given a key to cancel with, although nothing here can be cancelled. */
export function backendKeyFrame(id: number): Uint8Array {
  return frame(BackendType.backendKeyData, int32(id), int32(0))
}
