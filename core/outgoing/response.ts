import { readBody, tooLarge } from './body.ts'
import type { HopResponse } from './exchange.ts'
import { toOutgoingError } from './outgoing-error.ts'
import type { OutgoingResponse } from './outgoing-http.ts'
import type { Target } from './target.ts'

export interface ResponseParts {
  readonly target: Target
  readonly response: HopResponse
  /** False where the head stands alone, as after HEAD: what its headers say of a body is no reason to refuse it. */
  readonly hasBody: boolean
  readonly bodyBytesMax: number
  /** Aborted when the request's time is over, or its caller gave up. */
  readonly signal: AbortSignal
  readonly timings: { readonly connectedMs: number; readonly firstByteMs: number }
  elapsedMs(): number
  /** Called once, when the body is read, given up or failed: frees what the request held. */
  finished(): void
}

/** The head of a response with its body still to come. */
export function openResponse(parts: ResponseParts): OutgoingResponse {
  const { target, response, bodyBytesMax } = parts
  const { host, url } = target
  const { status, headers, raw } = response
  let totalMs: number | undefined
  const finish = () => {
    if (totalMs !== undefined) return
    totalMs = parts.elapsedMs()
    raw.destroy()
    parts.finished()
  }
  // This holds also for a body that nobody reads: it ends with the time of the request.
  raw.on('error', finish).on('close', finish)
  const read = consumedOnce(() => chunksOf(parts, finish))
  let body: ReadableStream<Uint8Array> | undefined
  const whole = async () => {
    if (parts.hasBody && Number(headers.get('content-length') ?? 0) > bodyBytesMax) {
      finish()
      throw tooLarge(host, bodyBytesMax)
    }
    const chunks: Uint8Array[] = []
    for await (const chunk of read()) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
  return {
    status,
    headers,
    url: url.href,
    get body() {
      body ??= toStream(read(), finish)
      return body
    },
    bytes: async () => new Uint8Array(await whole()),
    text: async () => (await whole()).toString('utf8'),
    beginning: bytesMax => firstBytes(read(), bytesMax),
    discard: async () => finish(),
    timings: () => ({ ...parts.timings, totalMs }),
  }
}

async function* chunksOf({ target, response, bodyBytesMax, signal }: ResponseParts, finish: () => void) {
  const { headers, raw } = response
  try {
    yield* readBody(raw, headers.get('content-encoding'), target.host, bodyBytesMax)
  } catch (error) {
    signal.throwIfAborted()
    throw toOutgoingError(error, target.host)
  } finally {
    finish()
  }
}

function consumedOnce<T>(open: () => T): () => T {
  let used = false
  return () => {
    if (used) throw new TypeError('the body of this response was read already')
    used = true
    return open()
  }
}

async function firstBytes(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const first: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    first.push(chunk)
    bytes += chunk.byteLength
    if (bytes >= bytesMax) break
  }
  return new Uint8Array(Buffer.concat(first).subarray(0, bytesMax))
}

function toStream(chunks: AsyncGenerator<Uint8Array, void, undefined>, finish: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        // First the connection, so that a read under way ends.
        finish()
        await chunks.return()
      },
    },
    { highWaterMark: 0 },
  )
}
