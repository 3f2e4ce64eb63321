import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { OutgoingError } from './outgoing-error.ts'
import type { OutgoingMethod } from './outgoing-http.ts'
import type { Target } from './target.ts'

/** A request as it goes out on one connection. */
export interface HopRequest {
  readonly method: OutgoingMethod
  readonly headers: Headers
  readonly body: string | Uint8Array | undefined
}

/** A response with its body as it was sent: still compressed, and not bounded yet. */
export interface HopResponse {
  readonly status: number
  readonly headers: Headers
  readonly raw: Readable
}

const HEADER_BYTES_MAX = 16_384

/** Servers send one or two interim responses (1xx). A few connections that send them without end take all time of a process. */
const INTERIM_MAX = 32

/** Chunks of a single byte take as much time each as a whole packet; bodies of 10 MB have a few thousand. */
const PIECES_MAX = 100_000

/**
 * Exchanges one request and its response over an open connection, which is closed afterwards. The parser is undici's
 * (llhttp), the same on every runtime, where their own HTTP clients differ in what they let one check.
 */
export async function exchange(
  target: Target,
  socket: Socket,
  { method, headers, body }: HopRequest,
  signal: AbortSignal,
): Promise<HopResponse> {
  // The import names the file, because Bun puts a module of its own in the place of the bare name, without custom
  // connections (https://bun.sh/docs/runtime/nodejs-apis). It is loaded with the first request, since it takes 26 MB of
  // memory.
  const { Client } = await import('undici/index.js')
  let used = false
  const client = new Client(target.url.origin, {
    connect: (_, give) => {
      // A second connection would be an unchecked one, so a failure of the first one fails the exchange.
      const again = used
      used = true
      queueMicrotask(() => (again ? give(new Error('the connection was lost'), null) : give(null, socket)))
    },
    allowH2: false,
    maxHeaderSize: HEADER_BYTES_MAX,
    // The deadline of the whole request bounds both.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const path = target.url.href.slice(target.url.origin.length)
  let interim = 0
  const onInfo = () => {
    if (++interim > INTERIM_MAX) socket.destroy(tooManyInterim(target.host))
  }
  const sent = { method, path, headers: Object.fromEntries(headers), body: body ?? null, reset: true, signal, onInfo }
  const response = await client.request(sent).catch(error => {
    socket.destroy()
    throw error
  })
  return {
    status: response.statusCode,
    headers: toHeaders(response.headers),
    raw: inPieces(response.body, target.host),
  }
}

/** Fails a body that comes in too many pieces. They are counted as they come, since readers get several at a time. */
function inPieces(body: Readable, host: string): Readable {
  const push = body.push.bind(body)
  let pieces = 0
  body.push = (piece, encoding) => {
    pieces++
    if (pieces === PIECES_MAX) {
      body.destroy(new OutgoingError('INVALID_RESPONSE', `The response of ${host} comes in too many pieces.`))
    }
    return pieces < PIECES_MAX && push(piece, encoding)
  }
  return body
}

function tooManyInterim(host: string): OutgoingError {
  return new OutgoingError('INVALID_RESPONSE', `${host} sends interim responses without end.`)
}

function toHeaders(received: Readonly<Record<string, string | readonly string[] | undefined>>): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(received)) {
    for (const value of typeof values === 'string' ? [values] : values) headers.append(name, value)
  }
  return headers
}
