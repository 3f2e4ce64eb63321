import { accepted } from 'mneme/plugin'
import { v7 } from 'uuid'
import { newExportExample } from '../examples.ts'
import { includeChecks, readInclude } from '../include.ts'
import { writeJob } from '../job.ts'
import { EXPORT_BYTES_KEPT_MAX, EXPORT_GB_KEPT_MAX, EXPORTS_KEPT_MAX, tooManyExports } from '../limits.ts'
import { insertExport, keptBytes, nextExpiry } from '../queries/exports.ts'
import { route, WRITE } from '../route.ts'
import { exportBody, exportResponse } from '../schemas.ts'
import { toExport } from '../serializers.ts'

export const createExportRoute = route({
  method: 'POST',
  path: '/v1/exports',
  operationId: 'createExport',
  access: WRITE,
  subject: { user: 'user_id' },
  beyondQuota: true,
  summary: 'Export a workspace',
  description: `Writes a file in the background, which can be downloaded for 7 days. A memory that is deleted meanwhile is removed from the file; while the file is rewritten, downloads respond with 409 \`EXPORT_NOT_READY\`. A workspace keeps at most ${EXPORTS_KEPT_MAX}, and makes no more while they, and what is written of others, have ${EXPORT_GB_KEPT_MAX} GB together: \`RATE_LIMITED\` until one is deleted or expires.`,
  body: exportBody,
  checks: includeChecks,
  responses: { 202: exportResponse },
  examples: { body: { format: 'JSONL' }, response: newExportExample },
  async handle({ body, scope, tenant }) {
    const { workspaceId } = tenant
    const include = readInclude(scope.wiring, tenant, body)
    const categories = body.categories ? [...new Set(body.categories.map(category => category.trim()))] : null
    const given = { id: v7(), format: body.format, userId: body.user_id ?? null, categories, include }
    const made = await tenant.transaction(async tx => {
      const hasRoom = (await keptBytes(tx, workspaceId, given.id)) < EXPORT_BYTES_KEPT_MAX
      const row = hasRoom && (await insertExport(tx, workspaceId, given, EXPORTS_KEPT_MAX))
      if (!row) throw tooManyExports(await nextExpiry(tx, workspaceId))
      await scope.jobs.enqueue(tx, [writeJob(workspaceId, row.id)])
      return row
    })
    return accepted(toExport(made))
  },
})
