import { ok } from 'mneme/plugin'
import { editByHand } from '../compilation/edit-entry.ts'
import { editExample, editedExample } from '../examples.ts'
import { entryRow, route, WRITE } from '../route.ts'
import { editBody, entryAnswer, entryParams } from '../schemas.ts'
import { toEntry } from '../serializers.ts'

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
    const entry = await editByHand(scope, tenant, caller, params.id, async () => ({ path: 'content', ...body }))
    return ok(toEntry(entry))
  },
})
