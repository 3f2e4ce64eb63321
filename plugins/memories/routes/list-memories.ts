import type { Static } from '@sinclair/typebox'
import type { Tx } from 'mneme/plugin'
import { type ErrorDetail, fail, ok, type Tenant, textArray } from 'mneme/plugin'
import type { MemoryRecord } from '../contract.ts'
import {
  addedConditions,
  addedFields,
  addedParameters,
  type MemoryFilter,
  type MetadataFilter,
  memorySearch,
  metadataCondition,
  metadataFilterFaults,
  readFilter,
  resolveAddedFilters,
} from '../contract.ts'
import { pageExample } from '../examples.ts'
import { recordColumns } from '../queries/rows.ts'
import { readHoldings } from '../reading/holdings.ts'
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
  subject: { user: 'user_id', agent: 'agent_id' },
  summary: 'List or search memories',
  description: 'Without `search`: newest first. With it: best first, with the same filters.',
  query: listQuery,
  checks: [{ fields: ['filter'], faults: ({ query }) => filterFaults(query) }],
  additions: wiring => ({
    query: addedParameters(wiring),
    responses: { 200: memoryPage(addedFields(wiring, 'list')) },
  }),
  responses: { 200: memoryPage() },
  examples: { response: pageExample },
  async handle({ query, scope, tenant }) {
    const filter = await filterOf(scope, tenant, query)
    const { search, page, page_size } = query
    if (search !== undefined) return ok(await searched(scope, tenant, search, filter, query))
    const { items, total } = await tenant.transaction(async tx => {
      const { records, total } = await listMemories(tx, tenant.workspaceId, filter, page, page_size)
      const known = await readHoldings(tx, scope.wiring, tenant.workspaceId, records)
      return { items: records.map(record => toListItem(record, known.get(record.id))), total }
    })
    const data = await scope.fields.add(tenant, items, 'list')
    return ok({ data, total, page, page_size })
  },
})

function filterFaults({ filter }: ListQuery): ErrorDetail[] {
  const conditions = parseFilter(filter)
  if (conditions) return metadataFilterFaults(conditions)
  return [{ path: 'filter', message: 'must be a JSON object of conditions on metadata' }]
}

function parseFilter(json = '{}'): MetadataFilter | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

async function filterOf(scope: MemoriesScope, tenant: Tenant, query: ListQuery): Promise<MemoryFilter> {
  const added = await resolveAddedFilters(scope.wiring, tenant, { ...query })
  const filter = readFilter({ ...query, filter: parseFilter(query.filter) ?? {} })
  return added ? { ...filter, added } : filter
}

async function searched(
  { wiring }: MemoriesScope,
  tenant: Tenant,
  search: string,
  filter: MemoryFilter,
  query: Pick<ListQuery, 'mode' | 'expand' | 'explain' | 'min_score' | 'timezone' | 'page' | 'page_size'>,
) {
  const engine = wiring.find(memorySearch)
  if (!engine) throw fail('FEATURE_NOT_ENABLED', { message: 'The search plugin is switched off on this server.' })
  const { mode, expand, explain, min_score: minScore, timezone, page, page_size: pageSize } = query
  return engine.search(tenant, { query: search, mode, expand, explain, minScore, timezone, filter, page, pageSize })
}

interface ListPage {
  readonly records: MemoryRecord[]
  readonly total: number
}

/** Reads one page of the visible memories that pass the filter, newest first, with their exact number. */
export async function listMemories(
  tx: Tx,
  workspaceId: string,
  filter: MemoryFilter,
  page: number,
  pageSize: number,
): Promise<ListPage> {
  const [records, [counted]] = await Promise.all([
    tx<MemoryRecord[]>`
      select ${recordColumns(tx)}
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        ${conditions(tx, workspaceId, filter)}
      order by memory.created_at desc, memory.id desc
      limit ${pageSize}
      offset ${(page - 1) * pageSize}`,
    tx<{ total: number }[]>`
      select count(*) as total
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        ${conditions(tx, workspaceId, filter)}`,
  ])
  return { records, total: counted?.total ?? 0 }
}

/** Builds the conditions of a filter on visible memories, each starting with `and`. Both bounds of the creation time are inclusive. */
function conditions(tx: Tx, workspaceId: string, filter: MemoryFilter) {
  const { userId, agentId, sessionId, priorities, categories, createdAfter, createdBefore, metadata, added } = filter
  return tx`
    and memory.live
    and (memory.expires_at is null or memory.expires_at > now())
    ${userId === undefined ? tx`` : tx`and memory.user_id = ${userId}`}
    ${agentId === undefined ? tx`` : tx`and memory.agent_id = ${agentId}`}
    ${sessionId === undefined ? tx`` : tx`and memory.session_id = ${sessionId}`}
    ${priorities === undefined ? tx`` : tx`and memory.priority = any(${textArray(priorities)}::text[])`}
    ${categories === undefined ? tx`` : tx`and memory.categories && ${textArray(categories)}::text[]`}
    ${createdAfter === undefined ? tx`` : tx`and memory.created_at >= ${createdAfter}`}
    ${createdBefore === undefined ? tx`` : tx`and memory.created_at <= ${createdBefore}`}
    ${metadata === undefined ? tx`` : tx`and ${metadataCondition(tx, tx`memory.metadata`, metadata)}`}
    ${addedConditions(tx, tx`memory.id`, workspaceId, added)}`
}
