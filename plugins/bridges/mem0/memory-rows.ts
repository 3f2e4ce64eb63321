import { oneOf, Type } from 'mneme/plugin'
import { type Row, row } from '../bridge.ts'
import { count, number, object, text, unread, words } from '../fields.ts'
import { type Conversation, deleteAll, type Memory } from '../service.ts'
import { add, addBody, addWithout, requireOwner, STATUSES } from './add.ts'
import { readFilters } from './filters.ts'
import {
  change,
  envelope,
  historyOf,
  list,
  memoryOf,
  narrowed,
  narrowing,
  owner,
  PAGE_MAX,
  pages,
  picked,
  required,
  search,
  toMem0,
  update,
} from './memories.ts'

/** Calls about memories: of the platform, and of the server that people host themselves, whose paths are shorter. */
export const memoryRows: readonly Row[] = [
  row('GET /v1/ping', 'construction, `ping`', {
    here: 'any valid key; `project_id` is its workspace',
    async handle({ caller }) {
      return { status: 'ok', org_id: caller.accountId, project_id: caller.workspaceId, user_email: null }
    },
  }),
  row('POST /v3/memories/add', '`add`', {
    here: '`POST /v1/memories/conversations`, whose id is the `event_id`; with `infer` false `POST /v1/memories/batch`. `run_id` is the session, `app_id` metadata, `timestamp` `said_at`, `expiration_date` a TASK memory (with `infer` false)',
    body: addBody,
    without: addWithout,
    handle: async ({ service, body }) => await add({ service }, body),
  }),
  row('POST /v3/memories/search', '`search`', {
    here: '`POST /v1/memories/search`, once for each alternative of `OR` (at most 8); `threshold` is compared with `score`',
    body: Type.Object({
      query: Type.String(),
      filters: object,
      metadata: object,
      categories: words,
      top_k: count(1000),
      threshold: number,
      fields: words,
      // The server's own reranker, or none, orders all searches.
      rerank: unread,
      keyword_search: unread,
    }),
    without: ['show_expired', 'latest_only', 'reference_date'],
    async handle({ service, body: { query, top_k = 10, threshold = 0, ...given } }) {
      const found = await search(service, query, readFilters(required(given.filters), 'platform'), given, top_k)
      const results = found.filter(({ score = 0 }) => score >= threshold).map(memory => picked(memory, given.fields))
      return { results }
    },
  }),
  row('POST /v3/memories', '`getAll`, `get_all`', {
    here: '`GET /v1/memories`, by user, agent, run, category, time of creation and metadata',
    query: pages,
    body: Type.Object({
      filters: object,
      ...narrowing,
      fields: words,
      ...pages.properties,
    }),
    without: ['show_expired', 'latest_only', 'keywords'],
    async handle({ service, query, body }) {
      const { page = 1, page_size = PAGE_MAX } = { ...body, ...query }
      const trees = [readFilters(required(body.filters), 'platform'), ...narrowed(body)]
      const { data, total } = await list(service, trees, page, page_size)
      const results = data.map(memory => picked(toMem0(memory), body.fields))
      return envelope(page, page_size, total, results)
    },
  }),
  row(['GET /v1/memories/:id', 'GET /memories/:id'], '`get`', {
    here: '`GET /v1/memories/:id`',
    handle: async call => toMem0(await memoryOf(call)),
  }),
  row(['PUT /v1/memories/:id', 'PUT /memories/:id'], '`update`', {
    here: '`PUT /v1/memories/:id`; `metadata` replaces what was there, `timestamp` is `said_at`',
    body: change,
    without: ['expiration_date'],
    async handle(call) {
      const memory = toMem0(await update(call, call.params.id ?? '', call.body))
      return { message: 'Memory updated successfully!', ...memory }
    },
  }),
  row(['DELETE /v1/memories/:id', 'DELETE /memories/:id'], '`delete`', {
    here: '`DELETE /v1/memories/:id`',
    without: ['delete_linked'],
    async handle({ service, params }) {
      await service.call('DELETE', '/v1/memories/:id', { params })
      return { message: 'Memory deleted successfully!' }
    },
  }),
  row(['DELETE /v1/memories', 'DELETE /memories'], '`deleteAll`, `delete_all`', {
    here: '`DELETE /v1/memories` of the user, agent or run, without the password: 400 unless `BRIDGES_DELETE_ALL=true` and the key has `memory.delete`',
    query: Type.Object(owner),
    without: ['app_id'],
    async handle(call) {
      requireOwner(call.query)
      const { user_id, agent_id, run_id: session_id } = call.query
      await deleteAll(call, { user_id, agent_id, session_id })
      return { message: 'Memories deleted successfully!' }
    },
  }),
  row(['GET /v1/memories/:id/history', 'GET /memories/:id/history'], '`history`', {
    here: '`GET /v1/memories/:id/history`: created and restored are `ADD`, updated and consolidated `UPDATE`',
    handle: async call => await historyOf(call),
  }),
  row('PUT /v1/batch', '`batchUpdate`, `batch_update`', {
    here: '`PUT /v1/memories/:id` one after the other; the first failure ends it',
    body: Type.Object({
      memories: Type.Array(Type.Object({ memory_id: Type.String(), text: text, metadata: object }), {
        minItems: 1,
        maxItems: 1000,
      }),
    }),
    async handle(call) {
      for (const { memory_id: id, ...change } of call.body.memories) await update(call, id, change)
      return { message: `Successfully updated ${call.body.memories.length} memories` }
    },
  }),
  row('DELETE /v1/batch', '`batchDelete`, `batch_delete`', {
    here: '`DELETE /v1/memories/:id` one after the other; the first failure ends it',
    body: Type.Object({
      memories: Type.Array(Type.Object({ memory_id: Type.String() }), { minItems: 1, maxItems: 1000 }),
    }),
    async handle({ service, body: { memories } }) {
      for (const { memory_id: id } of memories) await service.call('DELETE', '/v1/memories/:id', { params: { id } })
      return { message: `Successfully deleted ${memories.length} memories` }
    },
  }),
  row('POST /v1/feedback', '`feedback`', {
    here: '`POST /v1/memories/:id/feedback`: `VERY_NEGATIVE` is `NEGATIVE`, none is `NEUTRAL`; the reason is not kept',
    body: Type.Object({
      memory_id: Type.String(),
      feedback: Type.Optional(oneOf(['POSITIVE', 'NEGATIVE', 'VERY_NEGATIVE'])),
      feedback_reason: text,
    }),
    async handle({ service, body: { memory_id: id, feedback = null, feedback_reason = null } }) {
      const signal = feedback?.replace('VERY_', '') ?? 'NEUTRAL'
      await service.call('POST', '/v1/memories/:id/feedback', { params: { id }, body: { signal } })
      return { id, feedback, feedback_reason }
    },
  }),
  row('GET /v1/event/:id', 'poll of an `event_id`', {
    here: '`GET /v1/memories/conversations/:id`, with its memories once it is done',
    async handle({ service, params }) {
      const told = await service.call<Conversation>('GET', '/v1/memories/conversations/:id', { params })
      const ids = told.status === 'COMPLETED' ? (told.memories ?? []).slice(0, PAGE_MAX) : []
      const memories = await Promise.all(
        ids.map(id => service.call<Memory>('GET', '/v1/memories/:id', { params: { id } })),
      )
      const results = memories.map(({ id, memory, user_id }) => ({ id, event: 'ADD', user_id, data: { memory } }))
      const { id, status, created_at, updated_at, error } = told
      return { id, event_type: 'ADD', status: STATUSES[status], results, error, created_at, updated_at }
    },
  }),
  row('POST /memories', 'server: add', {
    here: 'as `add`; what is read from a conversation comes later, so `results` is empty then',
    body: addBody,
    without: addWithout,
    handle: async ({ service, body }) => ({ results: [], ...Object(await add({ service }, body)) }),
  }),
  row('GET /memories', 'server: get all', {
    here: '`GET /v1/memories`, at most 1,000',
    query: Type.Object({ ...owner, top_k: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })) }),
    without: ['show_expired'],
    async handle({ service, query: { top_k = PAGE_MAX, ...scope } }) {
      const results: ReturnType<typeof toMem0>[] = []
      for (let page = 1; results.length < top_k; page++) {
        const { data } = await list(service, [readFilters(scope, 'server')], page, PAGE_MAX)
        results.push(...data.map(toMem0))
        if (data.length < PAGE_MAX) break
      }
      return { results: results.slice(0, top_k) }
    },
  }),
  row('POST /search', 'server: search', {
    here: '`POST /v1/memories/search`, as `search`; other keys of `filters` are keys of metadata',
    body: Type.Object({
      query: Type.String(),
      ...owner,
      filters: object,
      top_k: count(1000),
      threshold: number,
    }),
    without: ['show_expired', 'explain'],
    async handle({ service, body: { query, filters = {}, top_k = 20, threshold = 0, ...scope } }) {
      const found = await search(service, query, readFilters({ ...filters, ...scope }, 'server'), {}, top_k)
      return { results: found.filter(({ score = 0 }) => score >= threshold) }
    },
  }),
]
