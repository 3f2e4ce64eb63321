import { ok } from 'mneme/plugin'
import { addedFields, addedParameters } from '../../memories/contract.ts'
import { searchExample } from '../examples.ts'
import { READ, route } from '../route.ts'
import { searchQuery, searchResponse } from '../schemas.ts'
import { runSearch, searchQueryChecks } from './run-search.ts'

export const searchByQueryRoute = route({
  method: 'GET',
  path: '/v1/memories/search',
  operationId: 'searchMemoriesByQuery',
  access: READ,
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
