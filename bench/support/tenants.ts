import type { ServerProcess } from '../../test/support/process.ts'

/** Makes a further workspace of the account that the server printed. @returns a key of it with all permissions */
export async function addTenant(server: ServerProcess, name: string): Promise<string> {
  const session = await server.client('').signIn(server.email, server.password)
  const workspace = await session.post('/v1/workspaces', { name })
  const { body } = await session.get('/v1/api-keys/permissions')
  const groups: { permissions: { name: string }[] }[] = body.groups
  const permissions = groups.flatMap(group => group.permissions.map(permission => permission.name))
  const key = await session.post('/v1/api-keys', { name, workspace_id: workspace.body.id, permissions })
  if (key.status !== 201) throw new Error(`no key for ${name}: ${JSON.stringify(key.body)}`)
  return key.body.key
}
