import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'

/** The permissions of the interface, by group. */
const GROUPS = {
  Memory: ['memory.read', 'memory.write', 'memory.delete', 'user.delete'],
  Knowledge: ['knowledge.read', 'knowledge.write', 'knowledge.delete'],
  Workspace: ['workspace.read', 'workspace.write', 'workspace.delete'],
  Export: ['export.read', 'export.write'],
  Dashboard: ['dashboard.read'],
  Webhooks: ['webhook.read', 'webhook.write', 'webhook.delete'],
  Templates: ['template.read', 'template.write', 'template.delete'],
  Ingest: ['ingest.write', 'ingest.read'],
}

describe('GET /v1/api-keys/permissions', () => {
  test('lists every permission of the interface in its group', async () => {
    const { client } = await (await service()).account()
    const { status, body } = await client.get('/v1/api-keys/permissions')
    expect(status).toBe(200)
    const groups: { name: string; permissions: { name: string; description: string }[] }[] = body.groups
    const listed = Object.fromEntries(groups.map(group => [group.name, group.permissions.map(({ name }) => name)]))
    expect(listed).toMatchObject(GROUPS)
    for (const { description } of groups.flatMap(group => group.permissions)) expect(description).toMatch(/\S.*\.$/)
  })

  test('any valid key may see it, nobody else', async () => {
    const { anonymous, account } = await service()
    const key = await (await account()).key({ permissions: ['memory.read'], mode: 'test' })
    expect((await key.get('/v1/api-keys/permissions')).status).toBe(200)
    expect((await anonymous.get('/v1/api-keys/permissions')).body.error_code).toBe('UNAUTHORIZED')
  })
})
