import { accepted } from 'mneme/plugin'
import { countFailed } from '../queries/failed.ts'
import { message } from '../reading/responses.ts'
import { route, WRITE } from '../route.ts'
import { reprocessBody } from '../schemas.ts'
import { reprocessJob } from '../tasks/reprocess.ts'

export const reprocessMemoriesRoute = route({
  method: 'POST',
  path: '/v1/memories/reprocess',
  operationId: 'reprocessMemories',
  access: WRITE,
  subject: { user: 'user_id' },
  summary: 'Process all failed memories again',
  description:
    'Queues every memory that is FAILED, or with `user_id` those of one user, piece by piece in the background, without changing it: for example after the cause of the failures is mended.',
  body: reprocessBody,
  responses: { 202: message },
  examples: { body: {}, response: { message: 'Memories that are queued for processing again: 12.' } },
  async handle({ body, scope, tenant }) {
    const { workspaceId } = tenant
    const failed = await tenant.transaction(async tx => {
      await scope.jobs.enqueue(tx, [reprocessJob({ workspace_id: workspaceId, user_id: body.user_id })])
      return countFailed(tx, workspaceId, { userId: body.user_id })
    })
    return accepted({ message: `Memories that are queued for processing again: ${failed}.` })
  },
})
