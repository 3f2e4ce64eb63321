import type { Static } from '@sinclair/typebox'
import { fail, ok, parseInstant, type Tenant } from 'mneme/plugin'
import {
  addedFields,
  addedParameters,
  type MemoryFilter,
  memorySearch,
  resolveAddedFilters,
  type SearchMode,
} from '../contract.ts'
import { pageExample } from '../examples.ts'
import { listMemories } from '../queries/list.ts'
import { memoryPage } from '../reading/responses.ts'
import { toListItem } from '../reading/serializers.ts'
import { READ, route } from '../route.ts'
import { listQuery } from '../schemas.ts'
import type { MemoriesScope } from '../scope.ts'

type ListQuery = Static<typeof listQuery>

export const listMemoriesRoute = route({
  method: 'GET',
  path: '/v1/memories',
  operationId: 'listMemories',
  access: READ,
  summary: 'List or search memories',
  description: 'Without `search`: newest first. With it: best first, with the same filters.',
  query: listQuery,
  additions: wiring => ({
    query: addedParameters(wiring),
    responses: { 200: memoryPage(addedFields(wiring, 'list')) },
  }),
  responses: { 200: memoryPage() },
  examples: { response: pageExample },
  async handle({ query, scope, tenant }) {
    const filter = await readFilter(scope, tenant, query)
    const { search, page, page_size } = query
    if (search !== undefined) return ok(await searched(scope, tenant, search, filter, query))
    const { records, total } = await tenant.transaction(tx =>
      listMemories(tx, tenant.workspaceId, filter, page, page_size),
    )
    const data = await scope.fields.add(tenant, records.map(toListItem), 'list')
    return ok({ data, total, page, page_size })
  },
})

async function readFilter(scope: MemoriesScope, tenant: Tenant, query: ListQuery): Promise<MemoryFilter> {
  const createdAfter = query.created_after && parseInstant(query.created_after)
  const createdBefore = query.created_before && parseInstant(query.created_before)
  const priorities = query.priorities ?? (query.priority && [query.priority])
  const added = await resolveAddedFilters(scope.wiring, tenant, { ...query })
  return {
    ...(query.user_id === undefined ? {} : { userId: query.user_id }),
    ...(query.agent_id === undefined ? {} : { agentId: query.agent_id }),
    ...(query.session_id === undefined ? {} : { sessionId: query.session_id }),
    ...(priorities ? { priorities } : {}),
    ...(query.categories ? { categories: query.categories } : {}),
    ...(createdAfter ? { createdAfter: createdAfter } : {}),
    ...(createdBefore ? { createdBefore: createdBefore } : {}),
    ...(added ? { added } : {}),
  }
}

async function searched(
  { wiring }: MemoriesScope,
  tenant: Tenant,
  search: string,
  filter: MemoryFilter,
  query: { mode: SearchMode; expand: boolean; explain: boolean; page: number; page_size: number },
) {
  const engine = wiring.find(memorySearch)
  if (!engine) throw fail('FEATURE_NOT_ENABLED', { message: 'The search plugin is switched off on this server.' })
  const { mode, expand, explain, page, page_size } = query
  return engine.search(tenant, { query: search, mode, expand, explain, filter, page, pageSize: page_size })
}
