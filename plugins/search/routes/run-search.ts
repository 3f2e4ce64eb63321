import { type ErrorDetail, type Tenant, validationError } from 'mneme/plugin'
import {
  resolveAddedFilters,
  type SearchMode,
  type SearchRequest,
  type SearchResponse,
} from '../../memories/contract.ts'
import { type FilterInput, readFilter, tooManyConditions } from '../query/filter.ts'
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

/** Builds the search request from the input of a route. @throws VALIDATION_ERROR with every fault */
export async function readRequest(scope: SearchScope, tenant: Tenant, input: SearchInput): Promise<SearchRequest> {
  const tooMany = tooManyConditions(input.filter)
  if (tooMany.length > 0) throw validationError(tooMany)
  const { filter, faults } = readFilter(input)
  const wrong = [...faults, ...pageFaults(input)]
  if (wrong.length > 0) throw validationError(wrong)
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

function pageFaults({ limit, page_size }: SearchInput): ErrorDetail[] {
  if (limit === undefined || page_size === undefined) return []
  return [{ path: 'page_size', message: 'must not be given together with limit' }]
}
