import { type ChannelChange, channelChanges } from './channels.ts'
import { type StatementNames, sqlOf, statementOf } from './statements.ts'
import { BackendType, FrontendType, frame, ProtocolError } from './wire.ts'

/** The scheduler runs this at once for a connection: messages up to a Sync, a Flush, or one simple query. */
export interface Request {
  /** Frames for the backend, statement names already prefixed. Empty when `reply` says all. */
  messages: Uint8Array[]
  bytes: number
  /** Sent in its turn without asking the backend. */
  reply?: Uint8Array
  /** It holds a whole COPY FROM STDIN, whose CopyInResponse the client has had already. */
  copyIn: boolean
  /** It holds a simple query, which destroys the session's unnamed statement. */
  simple: boolean
  /** It uses the unnamed statement that an earlier request has prepared. */
  reusesUnnamed: boolean
  /** The Parse message of the unnamed statement it leaves behind. */
  unnamedParse?: Uint8Array
  /** LISTEN and UNLISTEN in it, in order. */
  changes: ChannelChange[]
}

/**
 * Collects the messages of one connection into requests. A COPY FROM STDIN gets CopyInResponse at once and is handed on
 * only when the client has sent all its data, because the backend cannot wait for input: it blocks the thread that
 * reads the socket.
 */
export class RequestReader {
  readonly #names: StatementNames
  readonly #maxBytes: number
  #current = emptyRequest()
  #copying = false
  /** Maps a statement to the channel changes it makes, for those executed again without a new Parse. */
  readonly #changes = new Map<string, ChannelChange[]>()

  /** `maxBytes` bounds what is collected for one request. */
  constructor(names: StatementNames, maxBytes: number) {
    this.#names = names
    this.#maxBytes = maxBytes
  }

  /** Takes one frame; returns a request when it completes one. Throws ProtocolError. */
  accept(message: Uint8Array): Request | undefined {
    return this.#copying ? this.#acceptCopy(message) : this.#acceptCommand(message)
  }

  #acceptCommand(message: Uint8Array): Request | undefined {
    switch (message[0]) {
      case FrontendType.query:
        return this.#acceptQuery(message)
      case FrontendType.sync:
      case FrontendType.flush:
      case FrontendType.functionCall:
        this.#add(message)
        return this.#take()
      case FrontendType.parse:
      case FrontendType.bind:
      case FrontendType.describe:
      case FrontendType.execute:
      case FrontendType.close:
        this.#note(message)
        this.#add(this.#names.rewrite(message))
        return undefined
      case FrontendType.copyData:
      case FrontendType.copyDone:
      case FrontendType.copyFail:
        return undefined // These are left over from a COPY that failed; the protocol says to ignore them.
      default:
        throw new ProtocolError('08P01', `invalid frontend message type ${message[0]}`)
    }
  }

  #acceptQuery(message: Uint8Array): Request | undefined {
    const sql = sqlOf(message) ?? ''
    this.#current.simple = true
    this.#current.changes.push(...channelChanges(sql))
    this.#add(message)
    if (!copyFromStdin.test(sql)) return this.#take()
    this.#copying = true
    const format = /\bbinary\b/i.test(sql) ? 1 : 0
    return { ...emptyRequest(), reply: frame(BackendType.copyInResponse, Uint8Array.of(format, 0, 0)) }
  }

  #acceptCopy(message: Uint8Array): Request | undefined {
    switch (message[0]) {
      case FrontendType.copyData:
        this.#add(message)
        return undefined
      case FrontendType.copyDone:
      case FrontendType.copyFail:
        this.#add(message)
        this.#copying = false
        return { ...this.#take(), copyIn: true }
      case FrontendType.sync:
      case FrontendType.flush:
        return undefined // The protocol says to ignore these during COPY.
      default:
        throw new ProtocolError('08P01', `unexpected message type ${message[0]} during COPY from stdin`)
    }
  }

  #note(message: Uint8Array): void {
    const statement = statementOf(message)
    if (statement === undefined) return
    if (message[0] === FrontendType.parse) {
      this.#changes.delete(statement)
      const changes = channelChanges(sqlOf(message) ?? '')
      if (changes.length > 0) this.#changes.set(statement, changes)
      if (statement === '') this.#current.unnamedParse = message
    } else {
      if (statement === '' && this.#current.unnamedParse === undefined) this.#current.reusesUnnamed = true
      if (message[0] === FrontendType.bind) this.#current.changes.push(...(this.#changes.get(statement) ?? []))
    }
  }

  #add(message: Uint8Array): void {
    this.#current.bytes += message.length
    if (this.#current.bytes > this.#maxBytes) {
      throw new ProtocolError('54000', `request is over the limit of ${this.#maxBytes} bytes`)
    }
    this.#current.messages.push(message)
  }

  #take(): Request {
    const request = this.#current
    this.#current = emptyRequest()
    return request
  }
}

const copyFromStdin = /^(?:\s|--[^\n]*\n|\/\*.*?\*\/)*copy\b[^;]*\bfrom\s+stdin\b/is

function emptyRequest(): Request {
  return { messages: [], bytes: 0, copyIn: false, simple: false, reusesUnnamed: false, changes: [] }
}
