import { type BodyCheck, type ErrorDetail, ok, type RouteCheck, type Tenant } from 'mneme/plugin'
import {
  addedFields,
  addedParameters,
  type FilterInput,
  metadataFilterFaults,
  readFilter,
  resolveAddedFilters,
  type SearchMode,
  type SearchRequest,
  type SearchResponse,
} from '../../memories/contract.ts'
import { PAGE_SIZE_DEFAULT, searchBody, searchExample, searchQuery, searchResponse } from '../schemas.ts'
import { READ, route, type SearchScope } from '../scope.ts'

/** The input of both search routes. */
interface SearchInput extends FilterInput {
  readonly query: string
  readonly mode?: SearchMode
  readonly expand?: boolean
  readonly explain?: boolean
  readonly min_score?: number
  readonly timezone?: string
  readonly page?: number
  readonly limit?: number
  readonly page_size?: number
}

async function runSearch(scope: SearchScope, tenant: Tenant, input: SearchInput): Promise<SearchResponse> {
  return scope.memorySearch.search(tenant, await readRequest(scope, tenant, input))
}

type PageInput = Pick<SearchInput, 'limit' | 'page_size'>

/** Rules on the query of a search that its schema cannot express. */
const searchQueryChecks: readonly RouteCheck<unknown, PageInput, unknown>[] = [
  { fields: ['limit', 'page_size'], faults: ({ query }) => pageFaults(query) },
]

/** Rules on the body of a search that its schema cannot express. */
export const searchBodyChecks: readonly BodyCheck<PageInput & Pick<SearchInput, 'filter'>>[] = [
  { fields: ['limit', 'page_size'], faults: ({ body }) => pageFaults(body) },
  { fields: ['filter'], faults: ({ body: { filter } }) => metadataFilterFaults(filter) },
]

/** Builds the search request from the input of a route, which has passed the route's checks. */
export async function readRequest(scope: SearchScope, tenant: Tenant, input: SearchInput): Promise<SearchRequest> {
  const filter = readFilter(input)
  const added = await resolveAddedFilters(scope.wiring, tenant, { ...input })
  return {
    query: input.query,
    mode: input.mode ?? 'hybrid',
    expand: input.expand ?? false,
    explain: input.explain ?? false,
    minScore: input.min_score,
    timezone: input.timezone,
    filter: added ? { ...filter, added } : filter,
    page: input.page ?? 1,
    pageSize: input.limit ?? input.page_size ?? PAGE_SIZE_DEFAULT,
  }
}

function pageFaults({ limit, page_size }: PageInput): ErrorDetail[] {
  if (limit === undefined || page_size === undefined) return []
  return [{ path: 'page_size', message: 'must not be given together with limit' }]
}

export const searchByBodyRoute = route({
  method: 'POST',
  path: '/v1/memories/search',
  operationId: 'searchMemories',
  access: READ,
  subject: { user: 'user_id', agent: 'agent_id' },
  share: 'heavy',
  reads: true,
  summary: 'Search memories with filters on metadata',
  description: 'Best first. `limit` appears as `page_size` in the response; pages do not overlap.',
  body: searchBody,
  checks: searchBodyChecks,
  additions: wiring => ({
    body: addedParameters(wiring),
    responses: { 200: searchResponse(addedFields(wiring, 'list')) },
  }),
  responses: { 200: searchResponse() },
  examples: {
    body: {
      ...{ query: 'Which tea does Ada like?', user_id: 'ada', filter: { source: 'chat' } },
      ...{ min_score: 0.33, timezone: 'Europe/Lisbon', limit: 5 },
    },
    response: searchExample,
  },
  handle: async ({ scope, tenant, body }) => ok(await runSearch(scope, tenant, body)),
})

export const searchByQueryRoute = route({
  method: 'GET',
  path: '/v1/memories/search',
  operationId: 'searchMemoriesByQuery',
  access: READ,
  subject: { user: 'user_id', agent: 'agent_id' },
  summary: 'Search memories',
  description: 'Best first. Equals the list with `search`; POST also filters by metadata.',
  query: searchQuery,
  checks: searchQueryChecks,
  additions: wiring => ({
    query: addedParameters(wiring),
    responses: { 200: searchResponse(addedFields(wiring, 'list')) },
  }),
  responses: { 200: searchResponse() },
  examples: { response: searchExample },
  handle: async ({ scope, tenant, query }) => ok(await runSearch(scope, tenant, query)),
})
