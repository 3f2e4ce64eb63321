import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { OutgoingError } from './outgoing-error.ts'

/** Requests ask for these codings; `deflate` is understood too, where a server uses it unasked. */
export const ACCEPTED_ENCODINGS = 'gzip, br'

/**
 * Codings that exist (IANA, HTTP Content Coding Registry) and are not read. Servers also name a charset there, or `none`: as in browsers, what
 * names no coding changes nothing.
 */
const NOT_READ = new Set('aes128gcm compress dcb dcz exi pack200-gzip x-compress zstd'.split(' '))

type Bytes = AsyncGenerator<Uint8Array, void, undefined>

/**
 * Decompresses the body as its bytes are asked for and no further.
 * @param encoding the response's `content-encoding`
 * @param bytesMax bounds the bytes sent, and the bytes after decompression
 * @throws OutgoingError TOO_LARGE, INVALID_RESPONSE; what `raw` fails with
 */
export async function* readBody(raw: Readable, encoding: string | null, host: string, bytesMax: number): Bytes {
  const sent = bounded(raw, bytesMax, host)
  const codings = (encoding ?? '').toLowerCase().split(',')
  const [coding, ...more] = codings.map(name => name.trim()).filter(name => decoders.has(name) || NOT_READ.has(name))
  if (coding === undefined) return yield* sent
  const decoder = decoders.get(coding)
  // A list of codings turns few bytes into very many, and no server needs one.
  if (!decoder || more.length > 0) {
    raw.destroy()
    throw new OutgoingError(
      'INVALID_RESPONSE',
      `The response of ${host} is compressed in a way that is not understood.`,
    )
  }
  yield* bounded(decompressed(sent, decoder, host), bytesMax, host)
}

export function tooLarge(host: string, bytesMax: number): OutgoingError {
  return new OutgoingError('TOO_LARGE', `The response of ${host} is larger than ${inUnits(bytesMax)}.`)
}

async function* bounded(source: AsyncIterable<Uint8Array>, bytesMax: number, host: string): Bytes {
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) throw tooLarge(host, bytesMax)
    yield chunk
  }
}

/** Makes a decoder, which may depend on how the body begins. */
type Decoder = (first: Uint8Array) => Transform

const decoders = new Map<string, Decoder>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['br', () => createBrotliDecompress()],
  // Some servers leave out the wrapper of zlib, which begins with 8 in its low four bits (RFC 1950).
  ['deflate', first => (((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw())],
])

async function* decompressed(source: Bytes, decoder: Decoder, host: string): Bytes {
  const first = await source.next()
  // An empty body, as in a response to HEAD, is empty in any coding.
  if (first.done) return
  const transform = decoder(first.value)
  let failure: { readonly error: unknown } | undefined
  const all = async function* () {
    try {
      yield first.value
      yield* source
    } catch (error) {
      failure = { error }
      throw error
    }
  }
  // Errors of either side reach the loop below.
  pipeline(Readable.from(all(), { objectMode: false }), transform, () => undefined)
  try {
    for await (const chunk of transform) yield chunk
  } catch (error) {
    // The source's own error is the reason, whatever the decoder says of its sudden end.
    if (failure) throw failure.error
    throw new OutgoingError('INVALID_RESPONSE', `The compression of the response of ${host} is broken.`, {
      cause: error,
    })
  }
}

function inUnits(bytes: number): string {
  if (bytes >= 1_048_576 && bytes % 1_048_576 === 0) return `${bytes / 1_048_576} MB`
  return bytes >= 1024 && bytes % 1024 === 0 ? `${bytes / 1024} KB` : `${bytes} bytes`
}
