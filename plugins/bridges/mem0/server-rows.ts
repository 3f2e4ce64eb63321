import { ok, Type } from 'mneme/plugin'
import { type Row, row } from '../bridge.ts'
import { add, addBody, addWithout } from './add.ts'
import { readFilters } from './filters.ts'
import { toMem0 } from './memories.ts'
import { EXPIRED } from './memory-rows.ts'
import { fields, list, owner, PAGE_MAX, search, topK, update } from './operations.ts'

/** Calls of the self-hosted server that are unlike those of the platform. */
export const serverRows: readonly Row[] = [
  row({
    method: 'PUT',
    path: '/memories/:id',
    call: 'server: update',
    here: '`PUT /v1/memories/:id`',
    body: Type.Object({ text: Type.Optional(Type.String()), metadata: Type.Optional(fields) }),
    without: { expiration_date: 'Whether a memory expires is said when it is stored.' },
    async handle(call) {
      await update(call, call.params.id ?? '', call.body)
      return ok({ message: 'Memory updated successfully!' })
    },
  }),
  row({
    method: 'POST',
    path: '/memories',
    call: 'server: add',
    here: 'as `add`; what is read from a conversation comes later, so `results` is empty then',
    body: addBody,
    without: addWithout,
    handle: async ({ service, body }) => ok({ results: [], ...Object(await add({ service }, body)) }),
  }),
  row({
    method: 'GET',
    path: '/memories',
    call: 'server: get all',
    here: '`GET /v1/memories`, at most 1,000',
    query: Type.Object({ ...owner, top_k: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })) }),
    without: { show_expired: EXPIRED },
    async handle({ service, query: { top_k = PAGE_MAX, ...scope } }) {
      const results: ReturnType<typeof toMem0>[] = []
      for (let page = 1; results.length < top_k; page++) {
        const { data } = await list(service, [readFilters(scope, 'server')], { page, page_size: PAGE_MAX })
        results.push(...data.map(toMem0))
        if (data.length < PAGE_MAX) break
      }
      return ok({ results: results.slice(0, top_k) })
    },
  }),
  row({
    method: 'POST',
    path: '/search',
    call: 'server: search',
    here: '`POST /v1/memories/search`, as `search`; other keys of `filters` are keys of metadata',
    body: Type.Object({
      query: Type.String(),
      ...owner,
      filters: Type.Optional(fields),
      top_k: topK,
      threshold: Type.Optional(Type.Number()),
    }),
    without: { show_expired: EXPIRED, explain: 'Use `explain` of `POST /v1/memories/search`.' },
    async handle({ service, body: { query, filters = {}, top_k = 20, threshold = 0, ...scope } }) {
      const found = await search(service, query, readFilters({ ...filters, ...scope }, 'server'), {}, top_k)
      return ok({ results: found.filter(({ score = 0 }) => score >= threshold) })
    },
  }),
]
