import { ok } from 'mneme/plugin'
import { addedFields, addedParameters } from '../../memories/contract.ts'
import { searchAnswer, searchBody } from '../schemas.ts'
import { carryOut } from './carry-out.ts'
import { EXAMPLE_ANSWER, READ, route } from './route.ts'

export const searchByBodyRoute = route({
  method: 'POST',
  path: '/v1/memories/search',
  access: READ,
  summary: 'Search memories with filters on metadata',
  description: 'Best first. `limit` is `page_size` in the answer; pages follow each other without overlap.',
  body: searchBody,
  additions: wiring => ({
    body: addedParameters(wiring),
    responses: { 200: searchAnswer(addedFields(wiring, 'list')) },
  }),
  responses: { 200: searchAnswer() },
  examples: {
    body: { query: 'Which tea does Ada like?', user_id: 'ada', filter: { source: 'chat' }, limit: 5 },
    response: EXAMPLE_ANSWER,
  },
  handle: async ({ scope, tenant, body }) => ok(await carryOut(scope, tenant, body)),
})
