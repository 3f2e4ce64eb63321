import { envelope, ok, windowOf } from 'mneme/plugin'
import { render } from '../document/render.ts'
import { failKnowledge } from '../errors.ts'
import { versionsExample } from '../examples.ts'
import { findEntry } from '../queries/entries.ts'
import { findVersions } from '../queries/versions.ts'
import { entryRow, READ, route } from '../route.ts'
import { entryParams, versionPage, versionsQuery } from '../schemas.ts'

export const listVersionsRoute = route({
  method: 'GET',
  path: '/v1/knowledge/:id/versions',
  operationId: 'listKnowledgeVersions',
  access: READ,
  subject: { rows: [entryRow] },
  share: 'heavy',
  summary: 'List the versions of a knowledge entry',
  description:
    'The last 20, the present one first. What deleted, expired and merged memories said is taken out of all of them, so numbers may be missing.',
  params: entryParams,
  query: versionsQuery,
  responses: { 200: versionPage },
  examples: { response: versionsExample },
  errors: ['KNOWLEDGE_NOT_FOUND'],
  async handle({ params, query, tenant: { workspaceId, transaction } }) {
    const [entry, former] = await transaction(tx =>
      Promise.all([findEntry(tx, workspaceId, params.id), findVersions(tx, workspaceId, params.id)]),
    )
    if (!entry) throw failKnowledge('KNOWLEDGE_NOT_FOUND')
    const { category } = entry
    const { limit, offset } = windowOf(query)
    const present = { version: entry.version, content: entry.content, created_at: entry.updatedAt.toISOString() }
    const shown = [entry, ...former].slice(offset, offset + limit).map(version =>
      'content' in version
        ? present
        : {
            version: version.version,
            content: render({ category, compiled: version.compiled, hand: version.hand }),
            created_at: version.createdAt.toISOString(),
          },
    )
    return ok(envelope(query, shown, 1 + former.length))
  },
})
