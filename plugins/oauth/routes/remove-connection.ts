import { isAtLeast, noContent, Type, uuid } from 'mneme/plugin'
import { failOAuth } from '../errors.ts'
import { connectionEvent } from '../events.ts'
import { deleteConnection, lockConnection } from '../queries/connections.ts'
import { route } from '../route.ts'

export const removeConnectionRoute = route({
  method: 'DELETE',
  path: '/v1/connections/:id',
  operationId: 'removeConnection',
  access: 'person',
  beyondQuota: true,
  summary: 'Shut an application out',
  description:
    'Its tokens stop working within 5 seconds on every server. An account sees to its own, an admin of the workspace to those of everybody.',
  params: Type.Object({ id: uuid({ description: 'Id of the connection.' }) }),
  responses: { 204: null },
  errors: ['CONNECTION_NOT_FOUND'],
  async handle({ params: { id }, caller, tenant, scope }) {
    const { workspaceId } = tenant
    const isAdmin = isAtLeast(caller.role ?? 'viewer', 'admin')
    await tenant.transaction(async tx => {
      const found = await lockConnection(tx, workspaceId, id)
      if (!found || !(isAdmin || found.accountId === caller.accountId)) throw failOAuth('CONNECTION_NOT_FOUND')
      await deleteConnection(tx, workspaceId, found.id)
      await scope.events.publish(tx, [connectionEvent('connection.removed', found)])
    })
    scope.known.delete(`${workspaceId} ${id.toLowerCase()}`)
    return noContent
  },
})
