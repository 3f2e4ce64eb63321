import { type ErrorDetail, type Tenant, validationError } from 'mneme/plugin'
import { resolveAddedFilters, type SearchAnswer, type SearchMode, type SearchRequest } from '../../memories/contract.ts'
import { type FilterInput, readFilter, tooManyConditions } from '../filter.ts'
import { PAGE_SIZE_DEFAULT } from '../schemas.ts'
import type { SearchScope } from '../scope.ts'

/** A search as either route has read it. */
export interface SearchInput extends FilterInput {
  readonly query: string
  readonly mode?: SearchMode
  readonly expand?: boolean
  readonly explain?: boolean
  readonly page?: number
  readonly limit?: number
  readonly page_size?: number
}

export async function carryOut(scope: SearchScope, tenant: Tenant, input: SearchInput): Promise<SearchAnswer> {
  return scope.memorySearch.search(tenant, await readRequest(scope, tenant, input))
}

/** The request that the input of a route stands for; throws with every fault. */
export async function readRequest(scope: SearchScope, tenant: Tenant, input: SearchInput): Promise<SearchRequest> {
  const { filter, faults } = readFilter(input)
  const wrong = [...tooManyConditions(input.filter), ...faults, ...pageFaults(input)]
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
