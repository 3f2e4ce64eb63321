import { ok, permissionCatalogue } from 'mneme/plugin'
import { permissionsExample } from '../examples.ts'
import { permissionsResponse, toPermissions } from '../responses.ts'
import { route } from '../route.ts'

export const listPermissionsRoute = route({
  method: 'GET',
  path: '/v1/api-keys/permissions',
  operationId: 'listPermissions',
  access: 'anyKey',
  subject: 'nobody',
  workspace: 'none',
  beyondQuota: true,
  summary: 'List permissions',
  description: 'All permissions that a key can be given, in groups.',
  responses: { 200: permissionsResponse },
  examples: { response: permissionsExample },
  handle: ({ scope }) => ok(toPermissions(scope.wiring.use(permissionCatalogue).groups())),
})
