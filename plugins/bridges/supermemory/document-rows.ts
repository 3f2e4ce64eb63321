import { AppError, oneOf, Type } from 'mneme/plugin'
import { type Row, row } from '../bridge.ts'
import { flag, object, words } from '../fields.ts'
import { deleteAll, type Memory, type Page, unsupported } from '../service.ts'
import {
  addDocument,
  deleteDocument,
  findDocument,
  listed,
  newDocument,
  tagged,
  toDocument,
  userOf,
} from './documents.ts'

const content = Type.String({ minLength: 1 })
const page = Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[1-9][0-9]{0,5}$' })]))
const PAGE_MAX = 100

const without = ['entityContext', 'filepath']

/** Documents are memories here: a text is one, and a page several, by way of an import. */
export const documentRows: readonly Row[] = [
  row('POST /v3/documents', '`add`, `documents.add`', {
    here: '`POST /v1/memories`: the container is the user, `customId` the session, by which a later one replaces it (`PUT /v1/memories/:id`). An address is fetched by `POST /v1/memories/ingest`',
    body: Type.Object({ content, ...newDocument }),
    without,
    handle: async ({ service, body }) => await addDocument(service, body),
  }),
  row('POST /v3/documents/batch', '`documents.batchAdd`', {
    here: 'as `add`, one after the other; the failure of one spoils no other',
    body: Type.Object({
      documents: Type.Array(Type.Union([content, Type.Object({ content, ...newDocument })]), { maxItems: 600 }),
      ...newDocument,
    }),
    without,
    async handle({ service, body: { documents, ...common } }) {
      const results: object[] = []
      for (const one of documents) {
        const added = addDocument(service, { ...common, ...(typeof one === 'string' ? { content: one } : one) })
        results.push(await added.catch(error => ({ id: '', status: 'error', ...failureOf(error) })))
      }
      const failed = results.filter(result => 'error' in result).length
      return { results, failed, success: results.length - failed }
    },
  }),
  row('GET /v3/documents/processing', '`documents.listProcessing`', {
    here: '`GET /v1/memories` that are pending or being processed, at most 100',
    async handle({ service }) {
      const query = { status: ['PENDING', 'PROCESSING'], page_size: PAGE_MAX }
      const { data, total } = await service.call<Page<Memory>>('GET', '/v1/memories', { query })
      return { documents: data.map(toDocument), totalCount: total }
    },
  }),
  row('POST /v3/documents/list', '`documents.list`', {
    here: '`GET /v1/memories`, newest first',
    body: Type.Object({
      ...tagged,
      filters: object,
      limit: page,
      page,
      order: Type.Optional(oneOf(['desc'])),
      sort: Type.Optional(oneOf(['createdAt'])),
      includeContent: flag,
    }),
    without,
    async handle({ service, body }) {
      const limit = Math.min(Number(body.limit ?? 10), PAGE_MAX)
      const { data, pagination } = await listed(service, body, limit, Number(body.page ?? 1))
      const shown = data.map(toDocument).map(one => (body.includeContent ? one : { ...one, content: undefined }))
      return { memories: shown, pagination }
    },
  }),
  row('DELETE /v3/documents/bulk', '`documents.deleteBulk`', {
    here: '`DELETE /v1/memories/:id` for each of `ids`; a container as a whole without the password: 400 unless `BRIDGES_DELETE_ALL=true` and the key has `memory.delete`',
    body: Type.Object({ ids: words, containerTags: words }),
    without,
    async handle(call) {
      const { ids = [], containerTags = [] } = call.body
      for (const user_id of containerTags) await deleteAll(call, { user_id })
      const errors: object[] = []
      for (const id of ids)
        await deleteDocument({ ...call, params: { id } }).catch(error => errors.push({ id, ...failureOf(error) }))
      return { success: errors.length === 0, deletedCount: ids.length - errors.length, errors, containerTags }
    },
  }),
  row('GET /v3/documents/:id', '`documents.get`', {
    here: '`GET /v1/memories/:id`, or the session of that name, or `GET /v1/ingest-jobs/:id`',
    handle: async call => toDocument(await findDocument(call)),
  }),
  row('PATCH /v3/documents/:id', '`documents.update`', {
    here: '`PUT /v1/memories/:id`',
    body: Type.Object({ content: Type.Optional(content), metadata: object, ...tagged }),
    without: [...without, 'customId', 'taskType'],
    async handle(call) {
      const found = await findDocument(call)
      if (!('memory' in found)) throw unsupported('A page is changed by adding its address again.')
      if ((userOf(call.body).user_id ?? found.user_id) !== found.user_id)
        throw unsupported('A memory stays with its user.')
      const { content: memory = found.memory, metadata = found.metadata } = call.body
      await call.service.call('PUT', '/v1/memories/:id', { params: { id: found.id }, body: { memory, metadata } })
      return { id: found.id, status: 'queued' }
    },
  }),
  row('DELETE /v3/documents/:id', '`documents.delete`', {
    here: '`DELETE /v1/memories/:id`, or `DELETE /v1/ingest-jobs/:id` with its memories',
    async handle(call) {
      await deleteDocument(call)
    },
  }),
]

function failureOf(error: unknown): { error: string } {
  if (error instanceof AppError) return { error: error.message }
  throw error
}
