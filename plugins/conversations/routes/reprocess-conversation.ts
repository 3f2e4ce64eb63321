import { accepted } from 'mneme/plugin'
import { failConversation } from '../errors.ts'
import { acceptedExample } from '../examples.ts'
import { extractionJob } from '../jobs.ts'
import { resume } from '../queries/progress.ts'
import { findConversation, findResults } from '../queries/store.ts'
import { conversationRow, route, WRITE } from '../route.ts'
import { conversationParams, conversationResponse } from '../schemas.ts'
import { toConversation } from '../serializers.ts'

export const reprocessConversationRoute = route({
  method: 'POST',
  path: '/v1/memories/conversations/:id/reprocess',
  operationId: 'reprocessConversation',
  access: WRITE,
  subject: { rows: [conversationRow] },
  summary: 'Try a conversation again that failed',
  description:
    'Goes on where it failed, with the messages that were submitted: they are kept for seven days. A conversation that did not fail is left as it is.',
  params: conversationParams,
  responses: { 202: conversationResponse },
  examples: { response: acceptedExample },
  errors: ['CONVERSATION_NOT_FOUND', 'CONVERSATION_NOT_KEPT'],
  async handle({ params: { id }, scope: { jobs }, tenant }) {
    const { workspaceId } = tenant
    return tenant.transaction(async tx => {
      const resumed = await resume(tx, workspaceId, id)
      if (resumed) await jobs.enqueue(tx, [extractionJob(workspaceId, id, resumed.nextTurn)])
      const conversation = resumed ?? (await findConversation(tx, workspaceId, id))
      if (!conversation) throw failConversation('CONVERSATION_NOT_FOUND')
      if (conversation.status === 'FAILED') throw failConversation('CONVERSATION_NOT_KEPT')
      const results = await findResults(tx, workspaceId, id)
      return accepted({ ...toConversation(conversation, results), memories: null })
    })
  },
})
