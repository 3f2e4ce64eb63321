import { AppError, fail, Type } from 'mneme/plugin'
import { type Row, row } from '../bridge.ts'
import { alternatives, searchAlternatives } from '../conditions.ts'
import { count, flag, number, object, text, unread, words } from '../fields.ts'
import { type Conversation, type Memory, type Page, type Service, storeAll, unsupported } from '../service.ts'
import { listed, tagged, toDocument, treeOf, userOf } from './documents.ts'

const searched = {
  q: Type.String({ minLength: 1 }),
  ...tagged,
  filters: object,
  limit: count(100),
  // The server's own reranker, or none, orders all searches.
  rerank: unread,
}
const without = ['rewriteQuery', 'aggregate', 'filepath', 'docId', 'includeSummary']

/** Calls about memories and what is known of a user. */
export const memoryRows: readonly Row[] = [
  row('POST /v4/search', '`search`, `search.memories`', {
    here: '`POST /v1/memories/search`, once for each alternative of `OR` (at most 8), whatever the `searchMode`; of `include` only `documents`',
    body: Type.Object({
      ...searched,
      threshold: number,
      searchMode: unread,
      include: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
    }),
    without,
    async handle({ service, body: { include = {}, ...body } }) {
      const other = Object.keys(include).find(name => include[name] && name !== 'documents')
      if (other) throw unsupported(`Mneme has no \`${other}\` beside a memory; ask \`POST /v1/graph/query\`.`)
      return await timed(search(service, body), memory => toResult(memory, include.documents))
    },
  }),
  row('POST /v3/search', '`search.documents`, `search.execute`', {
    here: '`POST /v1/memories/search`; each memory is a document of one chunk',
    body: Type.Object({
      ...searched,
      documentThreshold: number,
      chunkThreshold: number,
      categoriesFilter: words,
      includeFullDocs: flag,
      onlyMatchingChunks: unread,
    }),
    without,
    async handle({ service, body: { documentThreshold = 0, chunkThreshold = 0, ...body } }) {
      const threshold = Math.max(documentThreshold, chunkThreshold)
      return await timed(search(service, { ...body, threshold }), memory =>
        toFoundDocument(memory, body.includeFullDocs),
      )
    },
  }),
  row('POST /v4/profile', '`profile`', {
    here: '`static`: statements of `GET /v1/knowledge` (needs `knowledge.read`); `dynamic`: the ten newest memories; with `q` a search',
    body: Type.Object({ ...tagged, q: text, filters: object, threshold: number }),
    without: ['buckets', 'include'],
    async handle({ service, body: { q, filters, threshold, ...owner } }) {
      const { data } = await listed(service, owner, 10, 1)
      const profile = { static: await statements(service, owner), dynamic: data.map(({ memory }) => memory) }
      if (!q) return { profile }
      return { profile, searchResults: await timed(search(service, { ...owner, q, filters, threshold }), toResult) }
    },
  }),
  row('DELETE /v4/memories', '`memories.forget`', {
    here: '`DELETE /v1/memories/:id`, for good; the `reason` is not kept',
    body: Type.Object({ ...tagged, id: text, content: text, reason: unread }),
    async handle({ service, body }) {
      const id = await idOf(service, body)
      await service.call('DELETE', '/v1/memories/:id', { params: { id } })
      return { id, forgotten: true }
    },
  }),
  row('PATCH /v4/memories', '`memories.updateMemory`', {
    here: '`PUT /v1/memories/:id`; the memory keeps its id and its history',
    body: Type.Object({
      ...tagged,
      id: text,
      content: text,
      newContent: Type.String({ minLength: 1 }),
      metadata: object,
    }),
    without: ['forgetAfter', 'forgetReason', 'temporalContext'],
    async handle({ service, body: { newContent: memory, metadata, ...named } }) {
      const params = { id: await idOf(service, named) }
      const body = { memory, metadata }
      const { id, created_at } = await service.call<Memory>('PUT', '/v1/memories/:id', { params, body })
      const { total } = await service.call<Page<unknown>>('GET', '/v1/memories/:id/history', { params })
      const none = { parentMemoryId: null, rootMemoryId: null, forgetAfter: null, forgetReason: null }
      return { id, memory, version: total, createdAt: created_at, ...none }
    },
  }),
  row('POST /v4/memories', 'create memories', {
    here: '`POST /v1/memories/batch`; `isStatic` has the priority HIGH',
    body: Type.Object({
      ...tagged,
      memories: Type.Array(Type.Object({ content: Type.String(), isStatic: flag, metadata: object }), {
        maxItems: 100,
      }),
    }),
    async handle({ service, body: { memories, ...owner } }) {
      const items = memories.map(({ content, isStatic, metadata }) => ({
        ...{ memory: content, metadata, ...userOf(owner), priority: isStatic ? 'HIGH' : undefined },
      }))
      const stored = (await storeAll(service, items)).map(({ id, memory, created_at }, n) => ({
        ...{ id, memory, isStatic: memories[n]?.isStatic ?? false, createdAt: created_at },
      }))
      return { documentId: null, memories: stored }
    },
  }),
  row('POST /v4/memories/list', 'list memories', {
    here: '`GET /v1/memories`, newest first',
    body: Type.Object({ ...tagged, filters: object, limit: count(100), page: count(1_000_000) }),
    async handle({ service, body: { limit = 10, page = 1, ...asked } }) {
      const { data, pagination } = await listed(service, asked, limit, page)
      return { memoryEntries: data.map(one => ({ ...toResult(one), createdAt: one.created_at })), pagination }
    },
  }),
  row('POST /v4/conversations', 'add a conversation', {
    here: '`POST /v1/memories/conversations`; `conversationId` is the session',
    body: Type.Object({
      conversationId: Type.String(),
      messages: Type.Array(Type.Object({}, { additionalProperties: true })),
      ...tagged,
      metadata: object,
    }),
    without: ['entityContext'],
    async handle({ service, body: { conversationId, messages, metadata, ...owner } }) {
      const body = { messages, session_id: conversationId, ...userOf(owner), metadata }
      const { id } = await service.call<Conversation>('POST', '/v1/memories/conversations', { body })
      return { id, conversationId, status: 'queued' }
    },
  }),
]

type Search = Parameters<typeof treeOf>[0] & {
  readonly q: string
  readonly categoriesFilter?: readonly string[]
  readonly limit?: number
  readonly threshold?: number | undefined
}

async function search(service: Service, { q, categoriesFilter, limit = 10, threshold = 0, ...asked }: Search) {
  const categories = categoriesFilter ? [{ field: 'categories', any: categoriesFilter } as const] : []
  const all = [treeOf(asked), ...categories]
  const found = await searchAlternatives(service, q, alternatives({ all }), limit)
  return found.filter(({ score = 0 }) => score >= threshold)
}

async function timed(found: Promise<readonly Memory[]>, shown: (memory: Memory) => object) {
  const startedAt = performance.now()
  const results = (await found).map(memory => shown(memory))
  return { results, total: results.length, timing: Math.round(performance.now() - startedAt) }
}

function toResult(memory: Memory, withDocuments = false) {
  const { id, metadata, updated_at: updatedAt, score: similarity = 0 } = memory
  const documents = withDocuments === true ? { documents: [toDocument(memory)] } : {}
  return { id, memory: memory.memory, similarity, metadata, updatedAt, version: null, ...documents }
}

function toFoundDocument(memory: Memory, whole = false) {
  const { id: documentId, content, title, type, metadata, createdAt, updatedAt } = toDocument(memory)
  const { score = 0 } = memory
  const chunks = [{ content: memory.memory, isRelevant: true, score }]
  return { documentId, chunks, score, title, type, metadata, createdAt, updatedAt, ...(whole ? { content } : {}) }
}

type Named = Parameters<typeof userOf>[0] & { readonly id?: string; readonly content?: string }

/** Finds the memory that a call is about: by its id, or by its exact text. */
async function idOf(service: Service, { id, content, ...owner }: Named): Promise<string> {
  if (id !== undefined) return id
  if (!content) throw unsupported('Name the memory by `id` or by its exact `content`.')
  const found = await search(service, { ...owner, q: content.slice(0, 1000), limit: 20 })
  const same = found.find(({ memory }) => memory === content)
  if (!same) throw fail('NOT_FOUND', { message: 'No memory has this content.' })
  return same.id
}

/** Lists what knowledge states of a user, each statement by itself; nothing where the plan has no knowledge. */
async function statements(service: Service, owner: Parameters<typeof userOf>[0]): Promise<string[]> {
  const query = { ...userOf(owner), page_size: 100 }
  const read = service.call<Page<{ readonly content: string }>>('GET', '/v1/knowledge', { query })
  const { data } = await read.catch(error => {
    if (error instanceof AppError && error.code === 'FEATURE_NOT_ENABLED') return { data: [] }
    throw error
  })
  return data.flatMap(({ content }) =>
    [...content.replace(/<!--.*?-->/gs, '').matchAll(/^- (.+)$/gm)].map(([, statement = '']) => statement.trim()),
  )
}
