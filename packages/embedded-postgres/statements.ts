import { concat, cString, endOfString, FrontendType, frame, headerBytes, stringAt } from './wire.ts'

const statementKind = 0x53 // 'S' in Describe and Close; 'P' names a portal.

/**
 * Keeps the prepared statements of one connection apart from those of the others, which share its backend, by a prefix
 * on every name.
 *
 * Portals keep their names: a portal ends with its transaction, and only one connection can be inside one. That also
 * lets a cursor made by `DECLARE` be fetched from by its name.
 */
export class StatementNames {
  readonly #prefix: string
  readonly #names = new Set<string>()

  /** `connectionId` must not be used by another connection of the same backend. */
  constructor(connectionId: number) {
    this.#prefix = `c${connectionId}_`
  }

  /** Returns the frame as the backend is to see it. Unnamed statements stay unnamed. Throws ProtocolError. */
  rewrite(message: Uint8Array): Uint8Array {
    switch (message[0]) {
      case FrontendType.parse:
        return this.#prefixAt(message, headerBytes, name => this.#names.add(name))
      case FrontendType.bind:
        return this.#prefixAt(message, endOfString(message, headerBytes) + 1)
      case FrontendType.describe:
        return message[headerBytes] === statementKind ? this.#prefixAt(message, headerBytes + 1) : message
      case FrontendType.close:
        if (message[headerBytes] !== statementKind) return message
        return this.#prefixAt(message, headerBytes + 1, name => this.#names.delete(name))
      default:
        return message
    }
  }

  /** Makes Close messages for all that this connection has prepared; the backend would keep it for good otherwise. */
  takeCloseFrames(): Uint8Array[] {
    const frames = [...this.#names].map(name => frame(FrontendType.close, Uint8Array.of(statementKind), cString(name)))
    this.#names.clear()
    return frames
  }

  #prefixAt(message: Uint8Array, at: number, onName?: (prefixed: string) => void): Uint8Array {
    const name = stringAt(message, at)
    if (name === '') return message
    onName?.(this.#prefix + name)
    const body = concat([
      message.subarray(headerBytes, at),
      cString(this.#prefix + name),
      message.subarray(at + 1 + byteLength(message, at)),
    ])
    return frame(message[0] ?? 0, body)
  }
}

function byteLength(message: Uint8Array, at: number): number {
  return endOfString(message, at) - at
}

/** Returns the statement a message refers to, `undefined` when it refers to none (portals included). */
export function statementOf(message: Uint8Array): string | undefined {
  switch (message[0]) {
    case FrontendType.parse:
      return stringAt(message, headerBytes)
    case FrontendType.bind:
      return stringAt(message, endOfString(message, headerBytes) + 1)
    case FrontendType.describe:
    case FrontendType.close:
      return message[headerBytes] === statementKind ? stringAt(message, headerBytes + 1) : undefined
    default:
      return undefined
  }
}

/** Reads the SQL text of a Query or Parse message. */
export function sqlOf(message: Uint8Array): string | undefined {
  if (message[0] === FrontendType.query) return stringAt(message, headerBytes)
  if (message[0] === FrontendType.parse) return stringAt(message, endOfString(message, headerBytes) + 1)
  return undefined
}
