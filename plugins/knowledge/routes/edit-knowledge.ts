import { ok, validationError } from 'mneme/plugin'
import { editEntry, HAND_BYTES_MAX } from '../compilation/edit-entry.ts'
import { composeCategories } from '../compilation/facts.ts'
import { failKnowledge } from '../errors.ts'
import { updatedEvents } from '../events.ts'
import { editExample, editedExample } from '../examples.ts'
import { findEntry } from '../queries/entries.ts'
import { markRead } from '../queries/readers.ts'
import { entryRow, route, WRITE } from '../route.ts'
import { editBody, entryAnswer, entryParams } from '../schemas.ts'
import { toEntry } from '../serializers.ts'

const TOO_LARGE = `must leave at most ${HAND_BYTES_MAX} bytes that are written by hand, so that an export can hold them`

export const editKnowledgeRoute = route({
  method: 'PUT',
  path: '/v1/knowledge/:id',
  operationId: 'updateKnowledge',
  access: WRITE,
  subject: { rows: [entryRow] },
  // A content of 400,000 characters is taken apart, put together and indexed at one go.
  share: 'heavy',
  summary: 'Edit a knowledge entry by hand',
  description:
    'Send the whole content as it should be. Compiled lines that are kept stay compiled; those left out or changed stay out while their memories say the same; everything else is written by hand and survives compilations. Send the `version` that you read, so that nothing is changed when there is a newer one; without it, lines that came since you last read it stay, and those that went since stay away. A line with a source comment is removed when the memories that it names are deleted or expire; of a merged memory it names the survivor from then on, and ids that no memory has are taken out of the comment.',
  params: entryParams,
  body: editBody,
  responses: { 200: entryAnswer },
  examples: { body: editExample, response: editedExample },
  errors: ['KNOWLEDGE_NOT_FOUND', 'KNOWLEDGE_CHANGED'],
  async handle({ params, body, scope, tenant, caller }) {
    const { workspaceId } = tenant
    const found = await tenant.transaction(tx => findEntry(tx, workspaceId, params.id))
    if (!found) throw failKnowledge('KNOWLEDGE_NOT_FOUND')
    const ahead = await composeCategories(tenant.transaction, scope.wiring, found.userId, [found.category])
    const edit = { ...body, caller: caller.id, ahead: ahead.get(found.category) }
    const entry = await tenant.transaction(async tx => {
      const change = await editEntry(tx, scope, workspaceId, found, edit)
      if (change === 'gone') throw failKnowledge('KNOWLEDGE_NOT_FOUND')
      if (change === 'changed') throw failKnowledge('KNOWLEDGE_CHANGED')
      if (change === 'too-large') throw validationError([{ path: 'content', message: TOO_LARGE }])
      await scope.events.publish(tx, updatedEvents(workspaceId, found.userId, change ? [change] : []))
      const now = await findEntry(tx, workspaceId, params.id)
      if (!now) throw failKnowledge('KNOWLEDGE_NOT_FOUND')
      await markRead(tx, workspaceId, [now], caller)
      return now
    })
    return ok(toEntry(entry))
  },
})
