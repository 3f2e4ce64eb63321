import { ok } from 'mneme/plugin'
import { workspaceTimezone } from '../../memories/contract.ts'
import { answerQuestion } from '../answering/answer.ts'
import { questionExample } from '../examples.ts'
import { readAsOf } from '../reading/instants.ts'
import { READ, route } from '../route.ts'
import { questionAnswer, questionBody } from '../schemas.ts'

const ENTITIES_DEFAULT = 10

export const askRoute = route({
  method: 'POST',
  path: '/v1/graph/query',
  operationId: 'askGraph',
  access: READ,
  subject: { user: 'user_id' },
  share: 'heavy',
  reads: true,
  summary: 'Ask the graph',
  description:
    'Answers a question from relationships and the memories they rest on, in English, German, Spanish or French. What has ended is stated as past; what is not known is stated as unknown.',
  body: questionBody,
  responses: { 200: questionAnswer },
  examples: {
    body: { query: 'Where does Ada work?', user_id: 'ada', timezone: 'Europe/Lisbon' },
    response: questionExample,
  },
  async handle({ body, scope, tenant }) {
    const { query, user_id: userId, limit = ENTITIES_DEFAULT } = body
    const timezone = body.timezone ?? workspaceTimezone.of(tenant.workspace)
    const found = await answerQuestion(scope, tenant, { query, userId, limit, timezone, at: readAsOf(body.as_of) })
    return ok({
      answer: found.answer,
      confidence: found.confidence,
      entities_used: found.entitiesUsed.map(({ id, name, type }) => ({ id, name, type })),
    })
  },
})
