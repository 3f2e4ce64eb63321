import { AppError, fail, validationError } from '../errors.ts'

/** A JSON body at the most, in bytes. */
export const JSON_BODY_MAX = 16 * 1024 * 1024

/** How much of a refused body is read away so that the client gets to read the answer, and for how long. */
const DRAIN_BYTES_MAX = 64 * 1024 * 1024
const DRAIN_MS_MAX = 3000

export interface JsonBody {
  readonly value: unknown
  /** As received; what an idempotency fingerprint is made of. */
  readonly bytes: Uint8Array
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Reads a JSON body. Enforces the size while reading, so a lying Content-Length gains nothing. */
export async function readJson(request: Request): Promise<JsonBody> {
  const type = request.headers.get('content-type')
  // Deno has an empty body where Bun has none.
  const isEmpty = request.body === null || request.headers.get('content-length') === '0'
  if (type === null && isEmpty) throw validationError([{ path: 'body', message: 'is required' }])
  if (!type || !/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) throw fail('UNSUPPORTED_MEDIA_TYPE')
  const encoding = request.headers.get('content-encoding')
  if (encoding && encoding.trim().toLowerCase() !== 'identity')
    throw fail('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the body without a content encoding.' })
  const bytes = await received(readBytes(request, JSON_BODY_MAX))
  return { value: parseJson(bytes), bytes }
}

function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw validationError([{ path: 'body', message: 'is required' }])
  try {
    const text = decoder.decode(bytes)
    return LONG_NUMBER.test(text) ? JSON.parse(text, refuseInexact) : JSON.parse(text)
  } catch (error) {
    if (error instanceof AppError) throw error
    // Neither the parser's message nor the cause: both can quote the document.
    throw validationError([{ path: 'body', message: 'is not valid JSON in UTF-8' }])
  }
}

/** No shorter integer is beyond what a double holds exactly; nearly all documents are without one where a value can begin. */
const LONG_NUMBER = /(?:^|[[:,\s])-?\d{16}/

/** An integer that a double would round becomes a fault: nobody notices an id that is off by one. */
function refuseInexact(key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const inexact = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
  if (!inexact) return value
  const message = `holds an integer beyond 2^53 under ${JSON.stringify(key)}, which cannot be kept exactly; send it as text`
  throw validationError([{ path: 'body', message }])
}

/** The whole body; a client that goes away while sending is its own fault, not an error of the server's. */
async function received(reading: Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof AppError) throw error
    throw validationError([{ path: 'body', message: 'was not received completely' }])
  }
}

/** The whole body, or PAYLOAD_TOO_LARGE as soon as it is known to be larger than `max` bytes. */
export async function readBytes(request: Request, max: number): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > max) throw fail('PAYLOAD_TOO_LARGE')
  // With an honest length, which servers hold clients to, the runtime's own reader is fastest.
  if (declared > 0 && !request.headers.has('transfer-encoding')) {
    const whole = new Uint8Array(await request.arrayBuffer())
    if (whole.length > max) throw fail('PAYLOAD_TOO_LARGE')
    return whole
  }
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      size += value.length
      if (size > max) {
        await drain(reader)
        throw fail('PAYLOAD_TOO_LARGE')
      }
      chunks.push(value)
    }
  } finally {
    reader.releaseLock()
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

/**
 * Reads away what is left of a body that will not be used. A server that answers while the client still sends may have its
 * answer lost to a connection reset.
 */
export async function discardBody(request: Request): Promise<void> {
  if (!request.body || request.bodyUsed || request.body.locked) return
  await drain(request.body.getReader())
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const deadline = Date.now() + DRAIN_MS_MAX
  let size = 0
  try {
    while (size < DRAIN_BYTES_MAX) {
      const next = await readBefore(reader, deadline)
      if (!next || next.done) break
      size += next.value.length
    }
  } catch {
    // The client went away; nobody is left to read the answer.
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

async function readBefore(reader: ReadableStreamDefaultReader<Uint8Array>, deadline: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, deadline - Date.now()))
  })
  try {
    return await Promise.race([reader.read(), late])
  } finally {
    clearTimeout(timer)
  }
}
