import type { ServerProcess } from '../../test/support/process.ts'

/** Makes a further workspace of the account that the server printed. @returns a key of it with all permissions */
export async function addTenant(server: ServerProcess, name: string, plan = 'unlimited'): Promise<string> {
  const session = await server.client('').signIn(server.email, server.password)
  const workspace = await session.post('/v1/workspaces', { name, plan })
  const { body } = await session.get('/v1/api-keys/permissions')
  const groups: { permissions: { name: string }[] }[] = body.groups
  const permissions = groups.flatMap(group => group.permissions.map(permission => permission.name))
  const key = await session.post('/v1/api-keys', { name, workspace_id: workspace.body.id, permissions })
  if (key.status !== 201) throw new Error(`no key for ${name}: ${JSON.stringify(key.body)}`)
  return key.body.key
}

/** Signs in to the account that the server printed. @returns the cookie */
export async function sessionCookie({ url, email, password }: ServerProcess): Promise<string> {
  const response = await fetch(`${url}/v1/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (response.status !== 200) throw new Error(`sign-in failed with ${response.status}`)
  return response.headers
    .getSetCookie()
    .map(cookie => cookie.split(';')[0])
    .join('; ')
}
