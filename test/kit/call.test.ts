import { expect, test } from 'bun:test'
import { created, definePlugin, form, noContent, ok, pageParameters, routesOf, Type, uuid } from 'mneme/plugin'
import { type CallInput, startTestService } from 'mneme/testing'
import { onEnd } from '../support/closing.ts'
import { failure } from '../support/control-plane.ts'

const route = routesOf<null>()
const access = 'anyKey'

const add = route({
  method: 'POST',
  path: '/v1/x/shelf/books/:shelf',
  access,
  summary: 'Put a book on a shelf',
  params: Type.Object({ shelf: Type.String() }),
  query: Type.Object({ copies: Type.Integer(), tags: Type.Optional(Type.Array(Type.String())) }),
  body: Type.Object({ title: Type.String({ maxLength: 10 }) }),
  responses: { 201: Type.Object({ shelf: Type.String(), copies: Type.Integer(), tags: Type.Array(Type.String()) }) },
  handle: ({ params: { shelf }, query: { copies, tags = [] } }) => created({ shelf, copies, tags }),
})

const list = route({
  method: 'GET',
  path: '/v1/x/shelf/books',
  access,
  summary: 'List the books of a shelf',
  query: Type.Object({ ...pageParameters, shelf: Type.String() }),
  responses: { 200: Type.Object({ page: Type.Integer(), page_size: Type.Integer() }) },
  handle: ({ query: { page, page_size } }) => ok({ page, page_size }),
})

const scan = route({
  method: 'POST',
  path: '/v1/x/shelf/scans',
  access,
  summary: 'Scan pages',
  body: form({
    fields: Type.Object({ title: Type.String(), place: Type.Object({ row: Type.Integer() }) }),
    files: {
      cover: { description: 'The cover.', maxBytes: 100, optional: true },
      page: { description: 'Pages.', maxBytes: 100, maxCount: 3 },
    },
  }),
  responses: { 200: Type.Object({ title: Type.String(), row: Type.Integer(), files: Type.Array(Type.String()) }) },
  async handle({ body: { fields, files } }) {
    const named = files.page.map(({ filename, size }) => `${filename} ${size}`)
    if (files.cover) named.unshift(`${files.cover.filename} ${files.cover.size}`)
    return ok({ title: fields.title, row: fields.place.row, files: named })
  },
})

const load = route({
  method: 'PUT',
  path: '/v1/x/shelf/load',
  access,
  summary: 'Load bytes',
  raw: true,
  responses: { 204: null },
  async handle({ request }) {
    await request.arrayBuffer()
    return noContent
  },
})

async function shelf() {
  const plugin = definePlugin({
    id: 'shelf',
    version: '1.0.0',
    apiVersion: 1,
    routes: [add, list, scan, load],
    setup: () => ({ scope: null }),
  })
  const service = await startTestService({ plugins: [plugin] })
  onEnd(service.stop)
  return (await service.account()).client
}

test('the parameters of pages may be left out of a call', async () => {
  const client = await shelf()
  expect((await client.call(list, { query: { shelf: 'a' } })).body).toEqual({ page: 1, page_size: 20 })
  expect((await client.call(list, { query: { shelf: 'a', page: 3 } })).body).toEqual({ page: 3, page_size: 20 })
})

test('a route is called with parts of its types, and answers with them', async () => {
  const client = await shelf()
  const { status, body } = await client.call(add, {
    params: { shelf: 'a/b c' },
    query: { copies: 2, tags: ['new', 'old'] },
    body: { title: 'Emma' },
  })
  // Assigned to their types, which `tsc` holds to the schemas.
  const [code, copies, tags]: [201, number, string[]] = [status, body.copies, body.tags]
  expect([code, copies, tags, body.shelf]).toEqual([201, 2, ['new', 'old'], 'a/b c'])
})

test('forms and bytes are sent as their route takes them', async () => {
  const client = await shelf()
  const fields = { title: 'Emma', place: { row: 3 } }
  const page = [new File(['one'], '1.txt'), 'second']
  expect((await client.call(scan, { body: { fields, files: { page } } })).body).toEqual({
    title: 'Emma',
    row: 3,
    files: ['1.txt 3', 'page 6'],
  })
  const cover = new File([Uint8Array.of(1)], 'cover.png')
  expect((await client.call(scan, { body: { fields, files: { page: ['x'], cover } } })).body.files).toEqual([
    'cover.png 1',
    'page 1',
  ])
  const bytes = { body: Uint8Array.of(1, 2), headers: { 'content-type': 'application/octet-stream' } }
  expect(await client.call(load, bytes)).toMatchObject({ status: 204, body: '' })
})

test('a call that fails says what was answered, and a refusal is asked for by name', async () => {
  const client = await shelf()
  const long = { params: { shelf: 'a' }, query: { copies: 1 }, body: { title: 'Pride and Prejudice' } }
  expect((await failure(client.call(add, long)))?.message).toMatch(
    /^POST \/v1\/x\/shelf\/books\/:shelf answered 400: .*must have at most 10 characters/,
  )
  expect(await client.refusal(add, long)).toMatchObject({ status_code: 400, error_code: 'VALIDATION_ERROR' })
  // `tsc` fails where a faulty input would have the type of the route's.
  type Takes<I> = I extends CallInput<typeof add> ? true : false
  type Given = typeof long
  const taken: [Takes<Given>, Takes<Omit<Given, 'params'>>, Takes<Omit<Given, 'body'> & { body: { title: number } }>] =
    [true, false, false]
  expect(taken).toEqual([true, false, false])
  expect((await failure(client.refusal(add, { ...long, body: { title: 'Emma' } })))?.message).toBe(
    'POST /v1/x/shelf/books/:shelf answered 201, where an error was expected',
  )
})

test("another plugin's route is called by as much of its schemas as a test uses, and held to that", async () => {
  const client = await shelf()
  const addMemory = {
    method: 'POST',
    path: '/v1/memories',
    body: Type.Object({ memory: Type.String() }),
    responses: { 201: Type.Object({ id: uuid(), priority: Type.String() }) },
  }
  const { body } = await client.call(addMemory, { body: { memory: 'Emma stands on the shelf.' } })
  const id: string = body.id
  const unfilled = { ...addMemory, path: '/v1/memories/:id' }
  expect((await failure(client.call(unfilled, { body: { memory: 'x' } })))?.message).toBe(
    'POST /v1/memories/:id wants the path parameter id',
  )
  const getMemory = {
    method: 'GET',
    path: '/v1/memories/:id',
    params: Type.Object({ id: uuid() }),
    responses: { 200: Type.Object({ id: Type.Integer() }) },
  }
  expect((await failure(client.call(getMemory, { params: { id } })))?.message).toBe(
    'GET /v1/memories/:id answered 200 against its schema: /id: Expected integer',
  )
})
