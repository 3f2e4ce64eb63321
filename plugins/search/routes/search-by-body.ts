import { ok } from 'mneme/plugin'
import { addedFields, addedParameters } from '../../memories/contract.ts'
import { searchExample } from '../examples.ts'
import { READ, route } from '../route.ts'
import { searchBody, searchResponse } from '../schemas.ts'
import { runSearch, searchBodyChecks } from './run-search.ts'

export const searchByBodyRoute = route({
  method: 'POST',
  path: '/v1/memories/search',
  operationId: 'searchMemories',
  access: READ,
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
    body: { query: 'Which tea does Ada like?', user_id: 'ada', filter: { source: 'chat' }, limit: 5 },
    response: searchExample,
  },
  handle: async ({ scope, tenant, body }) => ok(await runSearch(scope, tenant, body)),
})
