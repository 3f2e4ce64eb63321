import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { fail } from '../../core/errors.ts'
import { download } from '../../core/http/download.ts'
import { created, ok, type Route, routesOf } from '../../core/http/route.ts'
import { KB, MB } from '../../core/http/sizes.ts'
import { form, formStream, type IncomingFile } from '../../core/http/upload.ts'
import { text } from '../../core/http/validation.ts'

/** Records what the routes did, for tests to look at. */
export interface Seen {
  /** Counts bytes of uploads that reached a handler. */
  received: number
  /** Lists the sources of downloads that were opened, and how each ended. */
  opened: number
  ended: string[]
  /** Counts changes. */
  changed: number
  /** Counts texts that were read. */
  read: number
}

const route = routesOf<Seen>()
const WRITE = { permission: 'thing.write' }
const READ = { permission: 'thing.read' }

const fields = Type.Object({
  title: text({ maxLength: 20, notBlank: true }),
  rating: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  tags: Type.Optional(Type.Array(Type.String())),
  meta: Type.Optional(Type.Object({ deep: Type.Boolean() })),
  kind: Type.Optional(Type.String({ default: 'note' })),
})

async function described(file: IncomingFile, seen: Seen) {
  const head = Buffer.from(await file.head(4)).toString('latin1')
  const { name, filename, contentType } = file
  return { name, filename: filename ?? null, contentType, head, ...(await measured(file, seen)) }
}

async function measured(bytes: AsyncIterable<Uint8Array>, seen: Seen) {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of bytes) {
    seen.received += chunk.length
    size += chunk.length
    hash.update(chunk)
  }
  return { size, sha256: hash.digest('hex') }
}

const uploads = [
  route({
    method: 'POST',
    path: '/v1/form',
    access: WRITE,
    summary: 'Take a form whole',
    body: form({
      fields,
      files: {
        file: { description: 'The file.', maxBytes: MB },
        extras: { description: 'More of them.', maxBytes: 100 * KB, maxCount: 2, optional: true },
      },
    }),
    responses: { 201: Type.Any() },
    async handle({ body, scope }) {
      const { file, extras } = body.files
      const part: number[] = []
      for await (const chunk of file.stream({ start: 1, end: 5 })) part.push(...chunk)
      return created({
        fields: body.fields,
        file: { ...(await described(file, scope)), told: { size: file.size, sha256: file.sha256 } },
        extras: await Promise.all(extras.map(each => described(each, scope))),
        part: Buffer.from(part).toString('latin1'),
      })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/form-stream',
    access: WRITE,
    summary: 'Take a form as it arrives',
    body: formStream({ fields, files: { file: { description: 'A file.', maxBytes: 2048 * MB, maxCount: 3 } } }),
    responses: { 201: Type.Any() },
    async handle({ body, scope }) {
      const files: unknown[] = []
      for await (const file of body) files.push(await described(file, scope))
      return created({ leading: body.leading, files, fields: await body.fields() })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/bytes',
    access: WRITE,
    share: 'upload',
    summary: 'Take bytes as they arrive',
    raw: true,
    bodyMaxBytes: 2048 * MB,
    responses: { 201: Type.Any() },
    handle: async ({ request, scope }) => created(await measured(request.body ?? new Blob().stream(), scope)),
  }),
  route({
    method: 'POST',
    path: '/v1/picky',
    access: WRITE,
    summary: 'Take only what begins with %PDF',
    raw: true,
    bodyMaxBytes: 64 * MB,
    responses: { 201: Type.Any() },
    async handle({ request }) {
      const { value = [] } = (await request.body?.getReader().read()) ?? {}
      if (!Buffer.from(value).toString('latin1').startsWith('%PDF')) throw fail('UNSUPPORTED_MEDIA_TYPE')
      return created({})
    },
  }),
  route({
    method: 'POST',
    path: '/v1/raw',
    access: WRITE,
    raw: true,
    bodyMaxBytes: 100 * KB,
    summary: 'Read the request itself',
    responses: { 200: Type.Any() },
    handle: async ({ request }) => ok({ size: (await request.arrayBuffer()).byteLength }),
  }),
  route({
    method: 'POST',
    path: '/v1/bodiless',
    access: WRITE,
    summary: 'Take no body',
    responses: { 200: Type.Any() },
    handle: () => ok({}),
  }),
  route({
    method: 'POST',
    path: '/v1/unread',
    access: WRITE,
    summary: 'Take one file, and look for it in the request',
    body: form({ files: { file: { description: 'A file.', maxBytes: MB } } }),
    responses: { 200: Type.Any() },
    async handle({ body, request }) {
      return ok({ inRequest: (await request.arrayBuffer()).byteLength, inBody: body.files.file.size })
    },
  }),
]

/** Makes bytes of which every eighth tells its position, so that a part is recognised. */
export function patternAt(start: number, end: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(end - start)
  for (let at = start; at < end; at++) bytes[at - start] = at % 8 === 0 ? (at / 8) % 251 : at % 8
  return bytes
}

/** Makes a text of so many UTF-16 code units whose characters have one to four bytes. */
export function textOf(length: number): string {
  return 'aß€😀😀'
    .repeat(Math.ceil(length / 7))
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, '.')
}

const PIECE = 64 * KB

const downloads = [
  route({
    method: 'GET',
    path: '/v1/download/:size',
    access: READ,
    summary: 'Give a file',
    params: Type.Object({ size: Type.String() }),
    query: Type.Object({ pauseMs: Type.Optional(Type.Integer()), fault: Type.Optional(Type.String()) }),
    responses: { 200: null },
    contentType: 'text/csv',
    download: true,
    handle({ params, query, scope }) {
      const size = Number(params.size)
      return download({
        size,
        contentType: 'text/csv',
        filename: 'Größe „1“ of\\2.csv',
        etag: `v${size}`,
        lastModified: new Date('2026-03-01T09:30:00.500Z'),
        async *open({ start, end, signal }) {
          scope.opened++
          let sent = 'whole'
          try {
            if (query.fault === 'early') throw fail('NOT_FOUND')
            for (let at = start; at < end; at += PIECE) {
              if (query.fault === 'late' && at > end / 2) throw new Error('the source broke')
              sent = 'part'
              if (query.fault === 'short') return yield patternAt(at, Math.min(end, at + PIECE) - 1)
              yield patternAt(at, Math.min(end, at + PIECE))
              if (query.fault === 'deaf') await new Promise(() => undefined)
              if (query.pauseMs !== undefined) await sleep(query.pauseMs, undefined, { signal })
            }
            sent = 'whole'
          } finally {
            scope.ended.push(signal.aborted ? 'aborted' : sent)
          }
        },
      })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/unsized',
    access: READ,
    summary: 'Give what nobody knows the size of',
    responses: { 200: null },
    contentType: 'text/plain',
    download: true,
    handle: () =>
      download({
        contentType: 'text/plain',
        async *open() {
          for (let n = 0; n < 3; n++) yield new TextEncoder().encode(`line ${n}\n`)
        },
      }),
  }),
  route({
    method: 'GET',
    path: '/v1/json/:length',
    access: READ,
    share: 'heavy',
    summary: 'Give a text',
    params: Type.Object({ length: Type.String() }),
    responses: { 200: Type.Any() },
    handle({ params, scope }) {
      scope.read++
      return ok({ text: textOf(Number(params.length)) })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/json/:length',
    access: WRITE,
    summary: 'Change something, and give a text',
    params: Type.Object({ length: Type.String() }),
    responses: { 201: Type.Any() },
    handle({ params, scope }) {
      scope.changed++
      return created({ text: textOf(Number(params.length)) })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/events',
    access: READ,
    raw: true,
    summary: 'Tell events without end',
    responses: { 200: null },
    contentType: 'text/event-stream',
    handle({ scope }) {
      scope.opened++
      const body = new ReadableStream<Uint8Array>({
        start: controller => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
        cancel: () => void scope.ended.push('cancelled'),
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
  }),
]

export const transferRoutes = [...uploads, ...downloads] as unknown as readonly Route[]
