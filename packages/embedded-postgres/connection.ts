import { createHash, timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import { PendingChanges } from './channels.ts'
import type { Identity } from './identity.ts'
import { type Request, RequestReader } from './requests.ts'
import { StatementNames } from './statements.ts'
import {
  authenticationFrame,
  backendKeyFrame,
  concat,
  errorFrame,
  FrameReader,
  FrontendType,
  headerBytes,
  int32At,
  ProtocolError,
  parameterFrame,
  readyFrame,
  stringAt,
  type TransactionStatus,
} from './wire.ts'

/** Bytes a client may send in one message, one COPY, or between two Syncs. */
export const messageMaxBytes = 256 * 1024 * 1024
/** A start-up packet or password over this many bytes is refused, as Postgres does. */
const startupMaxBytes = 10_000
/** A client that has not given its password by then is sent away. */
const authenticationTimeoutMs = 10_000
/** Reading from a client stops while it has this much waiting for its turn. */
const queueHighBytes = 8 * 1024 * 1024
/** A client that leaves this much of its replies unread is given no further turn. */
const unreadHighBytes = 8 * 1024 * 1024
/** A client that leaves this much unread is cut off: the largest result, and notifications that piled up behind it. */
const unreadMaxBytes = messageMaxBytes + 64 * 1024 * 1024
/** A client that is sent away may take so long to read why. */
const farewellMs = 1000

const protocol3 = 196_608
const cancelRequest = 80_877_102
const sslRequest = 80_877_103
const gssEncryptionRequest = 80_877_104

/** The only database there is, and its owner. The role of requests may log in as well, and stays bound. */
export const databaseName = 'postgres'
export const roleName = 'postgres'
/** A client with this name is the owner whose commits may wait, see {@link Identity}; there is no such role. */
export const queueName = 'queue'

export interface ConnectionHost {
  /** Each has a password of its own, so that a client with a request's logs in as nobody else. */
  passwords: Readonly<Record<Identity, string>>
  /** The name that the identity `request` logs in with. */
  requestRole: string
  parameters: readonly [name: string, value: string][]
  /** The connection has a request ready. */
  onRequest(connection: Connection): void
  /** The client has read what it was sent and may have its turn again. */
  onDrain(connection: Connection): void
  onClosed(connection: Connection): void
}

/** Holds one client's socket, its protocol state, and its requests that wait for the backend. */
export class Connection {
  readonly id: number
  readonly names: StatementNames
  status: TransactionStatus = 'I'
  /** This client's statements run under this identity, by the name it logged in with. */
  identity: Identity = 'request'
  /** Messages went to the backend that no ReadyForQuery has replied to yet (the client sent Flush, not Sync). */
  unsynced = false
  closed = false
  /** The unnamed statement this client believes the session to have. */
  unnamedParse: Uint8Array | undefined
  readonly changes = new PendingChanges()
  readonly #socket: Socket
  readonly #host: ConnectionHost
  readonly #frames = new FrameReader(startupMaxBytes)
  readonly #requests: RequestReader
  readonly #queue: Request[] = []
  readonly #authentication: ReturnType<typeof setTimeout>
  #phase: 'startup' | 'password' | 'session' = 'startup'
  #queuedBytes = 0
  #outbox: Uint8Array[] = []

  constructor(id: number, socket: Socket, host: ConnectionHost) {
    this.id = id
    this.names = new StatementNames(id)
    this.#socket = socket
    this.#host = host
    this.#requests = new RequestReader(this.names, messageMaxBytes)
    this.#authentication = setTimeout(() => this.close(), authenticationTimeoutMs)
    socket.setNoDelay(true)
    socket.on('data', chunk => this.#receive(chunk))
    socket.on('drain', () => host.onDrain(this))
    socket.on('error', () => this.close())
    socket.on('close', () => this.close())
  }

  get hasRequest(): boolean {
    return this.#queue.length > 0
  }

  /** The client does not read its replies fast enough to be given more. */
  get stalled(): boolean {
    return this.#socket.writableLength > unreadHighBytes
  }

  takeRequest(): Request | undefined {
    const request = this.#queue.shift()
    if (request === undefined) return undefined
    this.#queuedBytes -= request.bytes
    if (this.#queuedBytes < queueHighBytes / 2 && this.#socket.isPaused()) this.#socket.resume()
    return request
  }

  /** Keeps a reply back until `flush`. */
  hold(bytes: Uint8Array): void {
    if (!this.closed) this.#outbox.push(bytes)
  }

  flush(): void {
    if (this.#outbox.length === 0) return
    const bytes = concat(this.#outbox)
    this.#outbox = []
    if (this.closed) return
    this.#socket.write(bytes)
    if (this.#socket.writableLength > unreadMaxBytes) this.close()
  }

  /** Forgets replies kept back: what they report has not become durable. */
  discardHeld(): void {
    this.#outbox = []
  }

  /** Tells the client why and closes the connection. */
  terminate(code: string, message: string): void {
    if (this.closed) return
    this.flush()
    this.#socket.end(errorFrame('FATAL', code, message))
    const socket = this.#socket
    const farewell = setTimeout(() => socket.destroy(), farewellMs)
    socket.once('close', () => clearTimeout(farewell))
    this.#markClosed()
  }

  close(): void {
    if (this.closed) return
    this.#socket.destroy()
    this.#markClosed()
  }

  #markClosed(): void {
    this.closed = true
    clearTimeout(this.#authentication)
    this.#queue.length = 0
    this.#outbox = []
    this.#host.onClosed(this)
  }

  #receive(chunk: Uint8Array): void {
    if (this.closed) return
    this.#frames.push(chunk)
    try {
      while (!this.closed) {
        const message = this.#frames.next()
        if (message === undefined) return
        this.#accept(message)
      }
    } catch (error) {
      // Nothing that one client sends may end the thread that serves the others.
      if (error instanceof ProtocolError) this.terminate(error.code, error.message)
      else this.terminate('XX000', `unexpected error while reading messages: ${String(error)}`)
    }
  }

  #accept(message: Uint8Array): void {
    if (this.#phase === 'startup') this.#start(message)
    else if (message[0] === FrontendType.terminate) this.close()
    else if (this.#phase === 'password') this.#authenticate(message)
    else this.#enqueue(message)
  }

  #enqueue(message: Uint8Array): void {
    const request = this.#requests.accept(message)
    if (request === undefined) return
    this.#queue.push(request)
    this.#queuedBytes += request.bytes
    if (this.#queuedBytes > queueHighBytes) this.#socket.pause()
    this.#host.onRequest(this)
  }

  #start(packet: Uint8Array): void {
    if (packet.length < 8) throw new ProtocolError('08P01', 'invalid length of startup packet')
    const code = int32At(packet, 4)
    if (code === sslRequest || code === gssEncryptionRequest) {
      this.#socket.write('N')
      return
    }
    if (code === cancelRequest) {
      // Nothing can be cancelled: the backend blocks the thread that would have to read the request.
      this.close()
      return
    }
    if (code !== protocol3) throw new ProtocolError('0A000', 'unsupported frontend protocol')
    const settings = startupSettings(packet)
    const user = settings.get('user') ?? ''
    const database = settings.get('database') ?? user
    const identity = this.#identityOf(user)
    if (identity === undefined) throw new ProtocolError('28000', `role "${user}" does not exist`)
    if (database !== databaseName) throw new ProtocolError('3D000', `database "${database}" does not exist`)
    this.identity = identity
    this.#frames.expectTyped()
    this.#phase = 'password'
    this.#socket.write(authenticationFrame(3))
  }

  #identityOf(user: string): Identity | undefined {
    if (user === this.#host.requestRole) return 'request'
    if (user === queueName) return 'queue'
    return user === roleName ? 'owner' : undefined
  }

  #authenticate(message: Uint8Array): void {
    const given = message[0] === FrontendType.password ? stringAt(message, headerBytes) : ''
    if (!timingSafeEqual(digest(given), digest(this.#host.passwords[this.identity]))) {
      throw new ProtocolError('28P01', 'password authentication failed')
    }
    clearTimeout(this.#authentication)
    this.#phase = 'session'
    this.#frames.allow(messageMaxBytes)
    const parameters = this.#host.parameters.map(([name, value]) => parameterFrame(name, value))
    this.#socket.write(concat([authenticationFrame(0), ...parameters, backendKeyFrame(this.id), readyFrame('I')]))
  }
}

/** Reads the name and value pairs of a start-up packet. Settings other than user and database are ignored. */
function startupSettings(packet: Uint8Array): Map<string, string> {
  const words = new TextDecoder().decode(packet.subarray(8)).split('\0')
  const settings = new Map<string, string>()
  for (let i = 0; i + 1 < words.length; i += 2) settings.set(words[i] ?? '', words[i + 1] ?? '')
  return settings
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest()
}
