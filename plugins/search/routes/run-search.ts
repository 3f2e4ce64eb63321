import type { BodyCheck, ErrorDetail, RouteCheck, Tenant } from 'mneme/plugin'
import {
  resolveAddedFilters,
  type SearchMode,
  type SearchRequest,
  type SearchResponse,
} from '../../memories/contract.ts'
import { type FilterInput, filterFaults, readFilter } from '../query/filter.ts'
import { PAGE_SIZE_DEFAULT } from '../schemas.ts'
import type { SearchScope } from '../scope.ts'

/** The input of both search routes. */
export interface SearchInput extends FilterInput {
  readonly query: string
  readonly mode?: SearchMode
  readonly expand?: boolean
  readonly explain?: boolean
  readonly page?: number
  readonly limit?: number
  readonly page_size?: number
}

export async function runSearch(scope: SearchScope, tenant: Tenant, input: SearchInput): Promise<SearchResponse> {
  return scope.memorySearch.search(tenant, await readRequest(scope, tenant, input))
}

type PageInput = Pick<SearchInput, 'limit' | 'page_size'>

/** Rules on the query of a search that its schema cannot express. */
export const searchQueryChecks: readonly RouteCheck<unknown, PageInput, unknown>[] = [
  { fields: ['limit', 'page_size'], faults: ({ query }) => pageFaults(query) },
]

/** Rules on the body of a search that its schema cannot express. */
export const searchBodyChecks: readonly BodyCheck<PageInput & Pick<SearchInput, 'filter'>>[] = [
  { fields: ['limit', 'page_size'], faults: ({ body }) => pageFaults(body) },
  { fields: ['filter'], faults: ({ body: { filter } }) => filterFaults(filter) },
]

/** Builds the search request from the input of a route, which has passed the route's checks. */
export async function readRequest(scope: SearchScope, tenant: Tenant, input: SearchInput): Promise<SearchRequest> {
  const { filter } = readFilter(input)
  const added = await resolveAddedFilters(scope.wiring, tenant, { ...input })
  return {
    query: input.query,
    mode: input.mode ?? 'hybrid',
    expand: input.expand ?? false,
    explain: input.explain ?? false,
    filter: added ? { ...filter, added } : filter,
    page: input.page ?? 1,
    pageSize: input.limit ?? input.page_size ?? PAGE_SIZE_DEFAULT,
  }
}

function pageFaults({ limit, page_size }: PageInput): ErrorDetail[] {
  if (limit === undefined || page_size === undefined) return []
  return [{ path: 'page_size', message: 'must not be given together with limit' }]
}
