import { noContent } from 'mneme/plugin'
import { failKnowledge } from '../errors.ts'
import { updatedEvents } from '../events.ts'
import { holdEntry } from '../queries/entries.ts'
import { deleteEntry } from '../queries/save.ts'
import { DELETE, entryRow, route } from '../route.ts'
import { entryParams } from '../schemas.ts'

export const deleteKnowledgeRoute = route({
  method: 'DELETE',
  path: '/v1/knowledge/:id',
  operationId: 'deleteKnowledge',
  access: DELETE,
  subject: { rows: [entryRow] },
  summary: 'Delete a knowledge entry',
  description:
    'Deletes the entry with what was written by hand. The memories stay, so the entry is created again once its statements change or it is compiled.',
  params: entryParams,
  responses: { 204: null },
  errors: ['KNOWLEDGE_NOT_FOUND'],
  async handle({ params, scope, tenant }) {
    const { workspaceId } = tenant
    await tenant.transaction(async tx => {
      const entry = await holdEntry(tx, workspaceId, params.id)
      if (!entry) throw failKnowledge('KNOWLEDGE_NOT_FOUND')
      const { id, userId, category, version } = entry
      const change = { id, category, version: version + 1, deleted: true as const }
      await deleteEntry(tx, workspaceId, entry)
      await scope.events.publish(tx, updatedEvents(workspaceId, userId, [change]))
    })
    return noContent
  },
})
