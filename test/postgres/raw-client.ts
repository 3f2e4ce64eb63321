import { connect, type Socket } from 'node:net'
import {
  BackendType,
  concat,
  cString,
  FrameReader,
  FrontendType,
  frame,
  headerBytes,
  int32,
  stringAt,
} from 'served-pglite/wire'

/** One reply of the server. */
export interface Reply {
  type: number
  frame: Uint8Array
}

/** Speaks the wire protocol message by message, for what no client library would send. */
export class RawClient {
  readonly #socket: Socket
  readonly #frames = new FrameReader(Number.MAX_SAFE_INTEGER)
  #wake: (() => void) | undefined
  #ended = false

  /** Opens the socket without sending anything. */
  static async connect(url: string): Promise<RawClient> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    return new RawClient(socket)
  }

  /** Opens a session and reads up to its first ReadyForQuery. */
  static async open(url: string, user = 'postgres'): Promise<RawClient> {
    const client = await RawClient.connect(url)
    client.start(user, 'postgres')
    client.send(frame(FrontendType.password, cString(new URL(url).password)))
    await client.until(BackendType.readyForQuery)
    return client
  }

  private constructor(socket: Socket) {
    this.#socket = socket
    this.#frames.expectTyped()
    const end = () => {
      this.#ended = true
      this.#wake?.()
    }
    socket.on('data', chunk => {
      this.#frames.push(chunk)
      this.#wake?.()
    })
    socket.on('error', end)
    socket.on('close', end)
  }

  start(user: string, database: string): void {
    const body = [int32(196_608), ...['user', user, 'database', database, ''].map(cString)]
    this.send(concat([int32(4 + concat(body).length), ...body]))
  }

  send(...messages: Uint8Array[]): void {
    this.#socket.write(concat(messages))
  }

  /** The next reply, undefined when the server has closed the connection. */
  async next(): Promise<Reply | undefined> {
    for (;;) {
      const next = this.#frames.next()
      if (next !== undefined) return { type: next[0] ?? 0, frame: next }
      if (this.#ended) return undefined
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }

  /** Reads replies up to one of this type, or to the end of the connection. */
  async until(type: number): Promise<Reply[]> {
    const replies: Reply[] = []
    for (let reply = await this.next(); reply !== undefined; reply = await this.next()) {
      replies.push(reply)
      if (reply.type === type) break
    }
    return replies
  }

  /** Reads one byte that is no message: the reply to an SSLRequest. */
  byte(): Promise<number> {
    return new Promise(resolve => this.#socket.once('data', chunk => resolve(chunk[0] ?? 0)))
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  destroy(): void {
    this.#socket.destroy()
  }
}

export function parse(name: string, sql: string): Uint8Array {
  return frame(FrontendType.parse, cString(name), cString(sql), Uint8Array.of(0, 0))
}

/** Binds a statement without parameters to the unnamed portal and executes it. */
export function run(name: string): Uint8Array {
  const bind = frame(FrontendType.bind, cString(''), cString(name), new Uint8Array(6))
  return concat([bind, frame(FrontendType.execute, cString(''), int32(0))])
}

/** SQLSTATE of the first error among the replies. */
export function errorCode(replies: Reply[]): string | undefined {
  const error = replies.find(reply => reply.type === BackendType.error)
  if (error === undefined) return undefined
  for (let at = headerBytes; error.frame[at] !== 0; ) {
    const field = stringAt(error.frame, at)
    if (field.startsWith('C')) return field.slice(1)
    at += Buffer.byteLength(field) + 1
  }
  return undefined
}

/** The replies as a word of their type letters, without notices. */
export function letters(replies: Reply[]): string {
  return replies
    .map(reply => String.fromCharCode(reply.type))
    .join('')
    .replaceAll('N', '')
}

/** The text columns of the first row among the replies. */
export function firstRow(replies: Reply[]): string[] {
  const row = replies.find(reply => reply.type === 0x44)?.frame
  if (row === undefined) return []
  const view = new DataView(row.buffer, row.byteOffset, row.byteLength)
  const columns: string[] = []
  for (let at = headerBytes + 2; at < row.length; ) {
    const length = Math.max(0, view.getInt32(at))
    columns.push(new TextDecoder().decode(row.subarray(at + 4, at + 4 + length)))
    at += 4 + length
  }
  return columns
}
