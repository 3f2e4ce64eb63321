import { ok } from 'mneme/plugin'
import { failConversation } from '../errors.ts'
import { completedExample } from '../examples.ts'
import { findConversation, findResults } from '../queries/store.ts'
import { conversationRow, READ, route } from '../route.ts'
import { conversationParams, conversationResponse } from '../schemas.ts'
import { toConversation } from '../serializers.ts'

export const getConversationRoute = route({
  method: 'GET',
  path: '/v1/memories/conversations/:id',
  operationId: 'getConversation',
  access: READ,
  subject: { rows: [conversationRow] },
  summary: 'See what came of a conversation',
  description:
    'Its status and, once it is COMPLETED or FAILED, the ids of its memories. Deleted memories leave the list.',
  params: conversationParams,
  responses: { 200: conversationResponse },
  examples: { response: completedExample },
  errors: ['CONVERSATION_NOT_FOUND'],
  async handle({ params, tenant }) {
    const { workspaceId } = tenant
    return tenant.transaction(async tx => {
      const [conversation, results] = await Promise.all([
        findConversation(tx, workspaceId, params.id),
        findResults(tx, workspaceId, params.id),
      ])
      if (!conversation) throw failConversation('CONVERSATION_NOT_FOUND')
      return ok(toConversation(conversation, results))
    })
  },
})
