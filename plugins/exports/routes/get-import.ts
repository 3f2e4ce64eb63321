import { ok } from 'mneme/plugin'
import { failExport } from '../errors.ts'
import { importExample } from '../examples.ts'
import { findImport } from '../queries/imports.ts'
import { READ, route } from '../route.ts'
import { importParams, importResponse } from '../schemas.ts'
import { toImport } from '../serializers.ts'

export const getImportRoute = route({
  method: 'GET',
  path: '/v1/imports/:id',
  operationId: 'getImport',
  access: READ,
  summary: 'Get an import',
  params: importParams,
  responses: { 200: importResponse },
  errors: ['IMPORT_NOT_FOUND'],
  examples: { response: importExample },
  async handle({ params, tenant }) {
    const found = await tenant.transaction(tx => findImport(tx, tenant.workspaceId, params.id))
    if (!found) throw failExport('IMPORT_NOT_FOUND')
    return ok(toImport(found))
  },
})
