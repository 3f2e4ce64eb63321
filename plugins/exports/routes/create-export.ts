import { accepted, validationError, type Wiring } from 'mneme/plugin'
import { v7 } from 'uuid'
import { archiveSections } from '../../memories/contract.ts'
import { newExportExample } from '../examples.ts'
import { writeJob } from '../job.ts'
import { insertExport } from '../queries/exports.ts'
import { route, WRITE } from '../route.ts'
import { exportBody, exportResponse } from '../schemas.ts'
import { toExport } from '../serializers.ts'

export const createExportRoute = route({
  method: 'POST',
  path: '/v1/exports',
  access: WRITE,
  beyondQuota: true,
  summary: 'Export a workspace',
  description:
    'Writes a file in the background, which can be downloaded for 7 days. A memory that is deleted meanwhile is removed from the file; while the file is rewritten, downloads respond with 409 `EXPORT_NOT_READY`.',
  body: exportBody,
  responses: { 202: exportResponse },
  examples: { body: { format: 'JSONL' }, response: newExportExample },
  async handle({ body, scope, tenant }) {
    const { workspaceId } = tenant
    const include = readInclude(scope.wiring, body.include)
    const categories = body.categories ? [...new Set(body.categories.map(category => category.trim()))] : null
    const given = { id: v7(), format: body.format, userId: body.user_id ?? null, categories, include }
    const made = await tenant.transaction(async tx => {
      const row = await insertExport(tx, workspaceId, given)
      await scope.jobs.enqueue(tx, [writeJob(workspaceId, row.id)])
      return row
    })
    return accepted(toExport(made))
  },
})

/** @throws VALIDATION_ERROR for a word that names no section */
function readInclude(wiring: Wiring, words: readonly string[] | undefined): string[] {
  const known = ['memories', 'history', ...wiring.extensions(archiveSections).map(({ name }) => name)]
  if (words === undefined) return known
  const faults = words.flatMap((word, n) =>
    known.includes(word) ? [] : [{ path: `include.${n}`, message: `must be one of ${known.join(', ')}` }],
  )
  if (faults.length > 0) throw validationError(faults)
  return known.filter(word => word === 'memories' || words.includes(word))
}
