import { accepted } from 'mneme/plugin'
import { compileJob } from '../compilation/schedule.ts'
import { EVERY_CATEGORY, markChanged } from '../queries/changes.ts'
import { route, WRITE } from '../route.ts'
import { compileBody, message } from '../schemas.ts'

export const compileKnowledgeRoute = route({
  method: 'POST',
  path: '/v1/knowledge/compile',
  operationId: 'compileKnowledge',
  access: WRITE,
  subject: { user: 'user_id' },
  summary: 'Compile knowledge now',
  description:
    'Compiles at once instead of waiting for a pause in changes. Restores entries that were deleted; changes nothing where nothing is different.',
  body: compileBody,
  responses: { 202: message },
  examples: {
    body: { user_id: 'ada', category: 'preferences' },
    response: { message: 'The knowledge is queued for compilation.' },
  },
  async handle({ body, scope, tenant }) {
    const { workspaceId } = tenant
    await tenant.transaction(async tx => {
      await markChanged(tx, workspaceId, body.user_id, [body.category ?? EVERY_CATEGORY])
      await scope.jobs.enqueue(tx, [compileJob(workspaceId, body.user_id)])
    })
    return accepted({ message: 'The knowledge is queued for compilation.' })
  },
})
