import { ok, Type } from 'mneme/plugin'
import { type Row, row } from '../bridge.ts'
import { deleteAll } from '../delete-all.ts'
import type { Conversation, Memory } from '../service.ts'
import { add, addBody, addWithout, requireOwner, STATUSES } from './add.ts'
import { readFilters } from './filters.ts'
import { toMem0, toOwner } from './memories.ts'
import {
  account,
  envelope,
  fields,
  historyOf,
  ignored,
  list,
  memoryOf,
  names,
  narrowed,
  owner,
  PAGE_MAX,
  picked,
  required,
  search,
  topK,
  update,
} from './operations.ts'

export const EXPIRED = 'Mneme never shows what has expired.'
const NEWEST = "Results tell in `superseded_by` of Mneme's own API what has replaced a memory."

/** Calls about memories, of the platform; those that the self-hosted server has too, under its own paths. */
export const memoryRows: readonly Row[] = [
  row({
    method: 'GET',
    path: '/v1/ping',
    call: 'construction, `ping`',
    here: 'any valid key; `project_id` is its workspace',
    query: Type.Object(account),
    async handle({ caller }) {
      return ok({ status: 'ok', org_id: caller.accountId, project_id: caller.workspaceId, user_email: null })
    },
  }),
  row({
    method: 'POST',
    path: '/v3/memories/add',
    call: '`add`',
    here: '`POST /v1/memories/conversations`, whose id is the `event_id`; with `infer` false `POST /v1/memories/batch`. `run_id` is the session, `app_id` metadata, `timestamp` `said_at`, `expiration_date` a TASK memory (with `infer` false)',
    body: addBody,
    without: addWithout,
    handle: async ({ service, body }) => ok(await add({ service }, body)),
  }),
  row({
    method: 'POST',
    path: '/v3/memories/search',
    call: '`search`',
    here: '`POST /v1/memories/search`, once for each alternative of `OR` (at most 8); `threshold` is compared with `score`',
    body: Type.Object({
      query: Type.String(),
      filters: Type.Optional(fields),
      metadata: Type.Optional(fields),
      categories: Type.Optional(names),
      top_k: topK,
      threshold: Type.Optional(Type.Number()),
      fields: Type.Optional(names),
      // The server's own reranker, or none, orders all searches.
      rerank: ignored,
      keyword_search: ignored,
      ...account,
    }),
    without: { show_expired: EXPIRED, latest_only: NEWEST, reference_date: 'Searches are of now.' },
    async handle({ service, body: { query, top_k = 10, threshold = 0, ...given } }) {
      const found = await search(service, query, readFilters(required(given.filters), 'platform'), given, top_k)
      const results = found.filter(({ score = 0 }) => score >= threshold).map(memory => picked(memory, given.fields))
      return ok({ results })
    },
  }),
  row({
    method: 'POST',
    path: '/v3/memories',
    call: '`getAll`, `get_all`',
    here: '`GET /v1/memories`, by user, agent, run, category and time of creation',
    query: Type.Object({
      page: Type.Optional(Type.Integer({ minimum: 1 })),
      page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX })),
      ...account,
    }),
    body: Type.Object({
      filters: Type.Optional(fields),
      categories: Type.Optional(names),
      start_date: Type.Optional(Type.String()),
      end_date: Type.Optional(Type.String()),
      fields: Type.Optional(names),
      page: Type.Optional(Type.Integer({ minimum: 1 })),
      page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX })),
      ...account,
    }),
    without: { show_expired: EXPIRED, latest_only: NEWEST, keywords: 'Search instead.' },
    async handle({ service, query, body }) {
      const { page = body.page ?? 1, page_size = body.page_size ?? PAGE_MAX } = query
      const { data, total } = await list(
        service,
        [readFilters(required(body.filters), 'platform'), ...narrowed(body)],
        {
          page,
          page_size,
        },
      )
      return ok(
        envelope(
          { page, page_size },
          total,
          data.map(memory => picked(toMem0(memory), body.fields)),
        ),
      )
    },
  }),
  ...[
    { path: '/v1/memories/:id', call: '`get`' },
    { path: '/memories/:id', call: 'server: get' },
  ].map(place =>
    row({
      ...place,
      method: 'GET',
      here: '`GET /v1/memories/:id`',
      query: Type.Object(account),
      handle: async call => ok(toMem0(await memoryOf(call))),
    }),
  ),
  row({
    method: 'PUT',
    path: '/v1/memories/:id',
    call: '`update`',
    here: '`PUT /v1/memories/:id`; `metadata` replaces what was there, `timestamp` is `said_at`',
    query: Type.Object(account),
    body: Type.Object({
      text: Type.Optional(Type.String()),
      metadata: Type.Optional(fields),
      timestamp: Type.Optional(Type.Union([Type.Number(), Type.String()])),
      ...account,
    }),
    without: { expiration_date: 'Whether a memory expires is said when it is stored.' },
    handle: async call => ok(toMem0(await update(call, call.params.id ?? '', call.body))),
  }),
  ...[
    { path: '/v1/memories/:id', call: '`delete`', message: 'Memory deleted successfully!' },
    { path: '/memories/:id', call: 'server: delete', message: 'Memory deleted successfully' },
  ].map(({ message, ...place }) =>
    row({
      ...place,
      method: 'DELETE',
      here: '`DELETE /v1/memories/:id`',
      query: Type.Object(account),
      without: { delete_linked: 'Delete each memory by its id.' },
      async handle({ service, params }) {
        await service.call('DELETE', '/v1/memories/:id', { params })
        return ok({ message })
      },
    }),
  ),
  ...[
    { path: '/v1/memories', call: '`deleteAll`, `delete_all`', message: 'Memories deleted successfully!' },
    { path: '/memories', call: 'server: delete all', message: 'All relevant memories deleted' },
  ].map(({ message, ...place }) =>
    row({
      ...place,
      method: 'DELETE',
      here: '`DELETE /v1/memories` of the user, agent or run, without the password: 400 unless `BRIDGES_DELETE_ALL=true` and the key has `memory.delete`',
      query: Type.Object({ ...owner, ...account }),
      without: { app_id: 'Name the user, agent or run whose memories are to go.' },
      async handle(call) {
        requireOwner(call.query)
        await deleteAll(call, toOwner(call.query))
        return ok({ message })
      },
    }),
  ),
  ...[
    { path: '/v1/memories/:id/history', call: '`history`' },
    { path: '/memories/:id/history', call: 'server: history' },
  ].map(place =>
    row({
      ...place,
      method: 'GET',
      here: '`GET /v1/memories/:id/history`: created and restored are `ADD`, updated and consolidated `UPDATE`',
      query: Type.Object(account),
      handle: async call => ok(await historyOf(call)),
    }),
  ),
  row({
    method: 'PUT',
    path: '/v1/batch',
    call: '`batchUpdate`, `batch_update`',
    here: '`PUT /v1/memories/:id` one after the other; the first failure ends it',
    body: Type.Object({
      memories: Type.Array(
        Type.Object({ memory_id: Type.String(), text: Type.Optional(Type.String()), metadata: Type.Optional(fields) }),
        { minItems: 1, maxItems: 1000 },
      ),
      ...account,
    }),
    async handle(call) {
      for (const { memory_id: id, ...change } of call.body.memories) await update(call, id, change)
      return ok({ message: `Successfully updated ${call.body.memories.length} memories` })
    },
  }),
  row({
    method: 'DELETE',
    path: '/v1/batch',
    call: '`batchDelete`, `batch_delete`',
    here: '`DELETE /v1/memories/:id` one after the other; the first failure ends it',
    body: Type.Object({
      memories: Type.Array(Type.Object({ memory_id: Type.String() }), { minItems: 1, maxItems: 1000 }),
      ...account,
    }),
    async handle({ service, body: { memories } }) {
      for (const { memory_id: id } of memories) await service.call('DELETE', '/v1/memories/:id', { params: { id } })
      return ok({ message: `Successfully deleted ${memories.length} memories` })
    },
  }),
  row({
    method: 'POST',
    path: '/v1/feedback',
    call: '`feedback`',
    here: '`POST /v1/memories/:id/feedback`: `VERY_NEGATIVE` is `NEGATIVE`, none is `NEUTRAL`; the reason is not kept',
    body: Type.Object({
      memory_id: Type.String(),
      feedback: Type.Optional(Type.Union(['POSITIVE', 'NEGATIVE', 'VERY_NEGATIVE'].map(word => Type.Literal(word)))),
      feedback_reason: Type.Optional(Type.String()),
      ...account,
    }),
    async handle({ service, body: { memory_id: id, feedback = null, feedback_reason = null } }) {
      const signal = feedback?.replace('VERY_', '') ?? 'NEUTRAL'
      await service.call('POST', '/v1/memories/:id/feedback', { params: { id }, body: { signal } })
      return ok({ id, feedback, feedback_reason })
    },
  }),
  row({
    method: 'GET',
    path: '/v1/event/:id',
    call: 'poll of an `event_id`',
    here: '`GET /v1/memories/conversations/:id`, with its memories once it is done',
    query: Type.Object(account),
    async handle({ service, params }) {
      const told = await service.call<Conversation>('GET', '/v1/memories/conversations/:id', { params })
      const ids = told.status === 'COMPLETED' ? (told.memories ?? []).slice(0, PAGE_MAX) : []
      const memories = await Promise.all(
        ids.map(id => service.call<Memory>('GET', '/v1/memories/:id', { params: { id } })),
      )
      const results = memories.map(({ id, memory, user_id }) => ({ id, event: 'ADD', user_id, data: { memory } }))
      const { id, status, created_at, updated_at, error } = told
      return ok({ id, event_type: 'ADD', status: STATUSES[status], results, error, created_at, updated_at })
    },
  }),
]
