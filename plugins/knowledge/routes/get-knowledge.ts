import { ok } from 'mneme/plugin'
import { failKnowledge } from '../errors.ts'
import { entryExample } from '../examples.ts'
import { findEntry } from '../queries/entries.ts'
import { markRead } from '../queries/readers.ts'
import { entryRow, READ, route } from '../route.ts'
import { entryAnswer, entryParams } from '../schemas.ts'
import { toEntry } from '../serializers.ts'

export const getKnowledgeRoute = route({
  method: 'GET',
  path: '/v1/knowledge/:id',
  operationId: 'getKnowledge',
  access: READ,
  subject: { rows: [entryRow] },
  summary: 'Get a knowledge entry',
  params: entryParams,
  responses: { 200: entryAnswer },
  examples: { response: entryExample },
  errors: ['KNOWLEDGE_NOT_FOUND'],
  async handle({ params, tenant, caller }) {
    const entry = await tenant.transaction(async tx => {
      const found = await findEntry(tx, tenant.workspaceId, params.id)
      if (found) await markRead(tx, tenant.workspaceId, [found], caller)
      return found
    })
    if (!entry) throw failKnowledge('KNOWLEDGE_NOT_FOUND')
    return ok(toEntry(entry))
  },
})
