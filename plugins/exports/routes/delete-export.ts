import { forgetResponses, noContent } from 'mneme/plugin'
import { failExport } from '../errors.ts'
import { removeJob } from '../job.ts'
import { deleteExport } from '../queries/exports.ts'
import { exportRow, route, WRITE } from '../route.ts'
import { exportParams } from '../schemas.ts'

export const deleteExportRoute = route({
  method: 'DELETE',
  path: '/v1/exports/:id',
  operationId: 'deleteExport',
  access: WRITE,
  subject: { rows: [exportRow] },
  beyondQuota: true,
  summary: 'Delete an export',
  description:
    'Deletes the export with its file, and stops one that is being written. A download under way breaks off.',
  params: exportParams,
  responses: { 204: null },
  errors: ['EXPORT_NOT_FOUND'],
  async handle({ params, scope, tenant: { workspaceId, transaction } }) {
    await transaction(async tx => {
      if (!(await deleteExport(tx, workspaceId, params.id))) throw failExport('EXPORT_NOT_FOUND')
      await forgetResponses(tx, workspaceId, [params.id])
      await scope.jobs.enqueue(tx, [removeJob(workspaceId, params.id)])
    })
    return noContent
  },
})
