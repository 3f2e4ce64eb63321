import { ok } from 'mneme/plugin'
import { addedParameters, memoryRow } from '../../memories/contract.ts'
import { why } from '../explanation/why.ts'
import { whyBody, whyResponse } from '../schemas.ts'
import { READ, route } from '../scope.ts'
import { readRequest, searchBodyChecks } from './search.ts'

export const whyRoute = route({
  method: 'POST',
  path: '/v1/memories/search/why',
  operationId: 'explainSearch',
  access: READ,
  subject: { user: 'user_id', agent: 'agent_id', rows: [memoryRow('memory_id')] },
  share: 'heavy',
  reads: true,
  summary: 'Explain why a memory is, or is not, among the results of a search',
  description:
    'Runs the search and looks for one memory: its rank and what its score was made of, or every reason that keeps it out.',
  body: whyBody,
  checks: searchBodyChecks,
  additions: wiring => ({ body: addedParameters(wiring) }),
  responses: { 200: whyResponse },
  errors: ['MEMORY_NOT_FOUND'],
  examples: {
    body: { query: 'Which tea does Ada like?', user_id: 'bob', memory_id: '01970c5e-8a54-7c1e-9b1f-3c1f6f0a2b11' },
    response: {
      memory_id: '01970c5e-8a54-7c1e-9b1f-3c1f6f0a2b11',
      found: false,
      rank: null,
      page: null,
      total: 3,
      query_hash: '5f1c0b6f9d2e4a7788a1c3d5e7f90b1c',
      score: 0.7421,
      relevance: 'HIGH',
      best_score: 0.412,
      reasons: [{ code: 'FILTERED', message: 'It does not pass the filter user_id.' }],
      explanation: null,
    },
  },
  async handle({ scope, tenant, body: { memory_id, ...input } }) {
    return ok(await why(scope.services, tenant, await readRequest(scope, tenant, input), memory_id.toLowerCase()))
  },
})
