import { ok } from 'mneme/plugin'
import { failExport } from '../errors.ts'
import { exportExample } from '../examples.ts'
import { findExport } from '../queries/exports.ts'
import { exportRow, READ, route } from '../route.ts'
import { exportParams, exportResponse } from '../schemas.ts'
import { toExport } from '../serializers.ts'

export const getExportRoute = route({
  method: 'GET',
  path: '/v1/exports/:id',
  operationId: 'getExport',
  access: READ,
  subject: { rows: [exportRow] },
  beyondQuota: true,
  summary: 'Get an export',
  params: exportParams,
  responses: { 200: exportResponse },
  errors: ['EXPORT_NOT_FOUND'],
  examples: { response: exportExample },
  async handle({ params, tenant }) {
    const found = await tenant.transaction(tx => findExport(tx, tenant.workspaceId, params.id))
    if (!found) throw failExport('EXPORT_NOT_FOUND')
    return ok(toExport(found))
  },
})
