import { ok } from 'mneme/plugin'
import { editByHand } from '../compilation/edit-entry.ts'
import { render } from '../document/render.ts'
import { failKnowledge } from '../errors.ts'
import { editedExample } from '../examples.ts'
import { findVersions } from '../queries/versions.ts'
import { entryRow, route, WRITE } from '../route.ts'
import { entryAnswer, versionParams } from '../schemas.ts'
import { toEntry } from '../serializers.ts'

export const restoreVersionRoute = route({
  method: 'POST',
  path: '/v1/knowledge/:id/versions/:version/restore',
  operationId: 'restoreKnowledgeVersion',
  access: WRITE,
  subject: { rows: [entryRow] },
  share: 'heavy',
  summary: 'Restore a version of a knowledge entry',
  description:
    'The same as editing the entry by hand into the content of that version, which becomes a new version: lines that were compiled since stay out while their memories say the same.',
  params: versionParams,
  responses: { 200: entryAnswer },
  examples: { response: editedExample },
  errors: ['KNOWLEDGE_NOT_FOUND', 'KNOWLEDGE_VERSION_NOT_FOUND', 'KNOWLEDGE_CHANGED'],
  async handle({ params: { id, version: wanted }, scope, tenant, caller }) {
    const entry = await editByHand(scope, tenant, caller, id, async (tx, { category, content, version }) => {
      const given = { path: 'version', version }
      if (Number(wanted) === version) return { ...given, content }
      const former = (await findVersions(tx, tenant.workspaceId, id)).find(kept => kept.version === Number(wanted))
      if (!former) throw failKnowledge('KNOWLEDGE_VERSION_NOT_FOUND')
      return { ...given, content: render({ category, compiled: former.compiled, hand: former.hand }) }
    })
    return ok(toEntry(entry))
  },
})
