import { ok } from 'mneme/plugin'
import { addedFields, addedParameters } from '../../memories/contract.ts'
import { searchAnswer, searchQuery } from '../schemas.ts'
import { carryOut } from './carry-out.ts'
import { EXAMPLE_ANSWER, READ, route } from './route.ts'

export const searchByQueryRoute = route({
  method: 'GET',
  path: '/v1/memories/search',
  access: READ,
  summary: 'Search memories',
  description: 'Best first. The same engine as the list with `search`, and as POST, which also filters by metadata.',
  query: searchQuery,
  additions: wiring => ({
    query: addedParameters(wiring),
    responses: { 200: searchAnswer(addedFields(wiring, 'list')) },
  }),
  responses: { 200: searchAnswer() },
  examples: { response: EXAMPLE_ANSWER },
  handle: async ({ scope, tenant, query }) => ok(await carryOut(scope, tenant, query)),
})
