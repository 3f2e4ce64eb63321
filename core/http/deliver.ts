import { create as contentDisposition } from 'content-disposition'
import { fail } from '../errors.ts'
import { asPlugin } from '../faults/attribution.ts'
import { type Delivered, Delivery, type DeliveryWorld, type Recipient, WHOLE_MAX_BYTES } from './delivery.ts'
import type { Download, DownloadRange, DownloadSource } from './download.ts'
import { goneSignal } from './gone.ts'
import { methodOf } from './head.ts'
import { type ByteRange, isNotModified, quoted, rangeOf, type Version } from './preconditions.ts'
import { reserveRoom } from './response-room.ts'

/** A download under way keeps so much in memory: the bytes that its client was given last. */
const STREAM_BYTES = 256 * 1024

type HeaderFields = Readonly<Record<string, string>>

/**
 * Responds to a GET or HEAD with a download, or with the part of it that the client lacks. Throws PRECONDITION_FAILED
 * and RANGE_NOT_SATISFIABLE (with the headers of its response in `errorHeaders`), and what opening the source throws.
 */
export async function deliver(
  { source }: Download,
  { request, holder }: Recipient,
  common: HeaderFields,
  errorHeaders: Record<string, string>,
  world: DeliveryWorld,
): Promise<Delivered> {
  const version: Version = {
    etag: source.etag === undefined ? undefined : quoted(source.etag),
    lastModified: source.lastModified,
  }
  const headers: Record<string, string> = { ...common, ...describe(source, version, common) }
  if (isNotModified(request.headers, version)) return empty(304, headers)
  const isSized = source.size !== undefined
  const size = source.size ?? Number.POSITIVE_INFINITY
  const asked = methodOf(request) === 'HEAD' || !isSized ? undefined : rangeOf(request.headers, size, version)
  if (asked === 'unsatisfiable') {
    errorHeaders['content-range'] = `bytes */${size}`
    throw fail('RANGE_NOT_SATISFIABLE')
  }
  const range = asked ?? { start: 0, end: size }
  headers['content-type'] = source.contentType
  if (isSized) headers['content-length'] = String(range.end - range.start)
  if (asked) headers['content-range'] = `bytes ${asked.start}-${asked.end - 1}/${size}`
  const status = asked ? 206 : 200
  if (methodOf(request) === 'HEAD' || range.end <= range.start) return empty(status, headers)
  return send(source, range, { status, headers }, { request, holder }, world)
}

function empty(status: number, headers: HeaderFields): Delivered {
  return { response: new Response(null, { status, headers }) }
}

/** Opens the source and waits for its first bytes, so that a failure to begin is still told by a status. */
async function send(
  source: DownloadSource,
  range: ByteRange,
  head: { readonly status: number; readonly headers: HeaderFields },
  { request, holder }: Recipient,
  world: DeliveryWorld,
): Promise<Delivered> {
  const length = range.end - range.start
  const open = () => new Delivery(signal => source.open({ ...range, signal }), length, goneSignal(request), world)
  if (length <= WHOLE_MAX_BYTES) return { response: new Response(await open().whole(), head) }
  reserveRoom(world.transfers, holder, STREAM_BYTES)
  const delivery = open()
  void delivery.ended.then(() => world.transfers.responses.release(holder, STREAM_BYTES))
  await delivery.begin()
  // Bun 1.4 drops the length of any streamed body and sends it in chunks (https://github.com/oven-sh/bun/issues/10507);
  // HEAD and ranges tell it there too. Once that is mended, nothing has to change here.
  return { response: new Response(delivery.stream(), head), delivery }
}

/** Runs a download's source as its plugin's, so that later faults in it are traced back to that. */
export function attributed({ source, ...rest }: Download, plugin: string): Download {
  const open = (range: DownloadRange): AsyncIterable<Uint8Array> => {
    const bytes = asPlugin(plugin, () => source.open(range)[Symbol.asyncIterator]())
    const next = () => asPlugin(plugin, () => bytes.next())
    const end = async (): Promise<IteratorResult<Uint8Array>> => {
      await asPlugin(plugin, () => bytes.return?.())
      return { done: true, value: undefined }
    }
    return { [Symbol.asyncIterator]: () => ({ next, return: end }) }
  }
  return { ...rest, source: { ...source, open } }
}

/** Delivers a stream that a raw route returns, counted as under way like a download. */
export async function deliverStream(response: Response, request: Request, world: DeliveryWorld): Promise<Delivered> {
  const { body } = response
  if (!body || methodOf(request) === 'HEAD') return { response }
  const delivery = new Delivery(() => chunksOf(body), Number.POSITIVE_INFINITY, goneSignal(request), world)
  const { status, headers } = response
  return { response: new Response(delivery.stream(), { status, headers }), delivery }
}

/** Reads a stream so that it ends at once when it is no longer read; its own iterator would wait for its next chunk. */
function chunksOf(body: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  const reader = body.getReader()
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const { done, value } = await reader.read()
    return done ? { done, value: undefined } : { done, value }
  }
  const end = async (): Promise<IteratorResult<Uint8Array>> => {
    await reader.cancel()
    return { done: true, value: undefined }
  }
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) }
}

function describe(source: DownloadSource, { etag, lastModified }: Version, common: HeaderFields): HeaderFields {
  const { filename, disposition = filename === undefined ? undefined : 'attachment', cacheControl } = source
  // On a route with a key the pipeline says `no-store`, since a shared cache knows nothing of keys.
  const isPublic = common['cache-control'] === undefined
  return {
    // Browsers show the content as its declared type, whatever it looks like.
    'x-content-type-options': 'nosniff',
    'accept-ranges': source.size === undefined ? 'none' : 'bytes',
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified ? { 'last-modified': lastModified.toUTCString() } : {}),
    'cache-control': cacheControl ?? (isPublic ? 'no-cache' : 'private, no-cache'),
    ...(disposition ? { 'content-disposition': contentDisposition(filename, { type: disposition }) } : {}),
    ...source.headers,
  }
}
