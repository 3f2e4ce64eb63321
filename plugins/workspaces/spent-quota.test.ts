import { expect, test } from 'bun:test'
import { idleService } from '../../test/support/service.ts'

/** An account whose first workspace has used up what its plan allows a month of a metric. */
async function spent(metric: 'requests' | 'tokens', input: number) {
  const { account: accountOf, database } = await idleService()
  const account = await accountOf({ plan: 'free' })
  await database.system(
    tx => tx`
      insert into core.usage (workspace_id, hour, metric, operation, input)
      values (${account.workspaceId}, date_trunc('hour', now()), ${metric}, '', ${input})`,
  )
  return account
}

test.each([
  ['requests', 100_000],
  ['tokens', 5_000_000],
] as const)('the %s of a month used up shut what consumes them, not what leads out', async (metric, limit) => {
  const { client, signIn, workspaceId } = await spent(metric, limit)
  const session = await signIn()
  const refused = await client.get('/v1/memories')
  expect([refused.status, refused.body.error_code]).toEqual([429, 'QUOTA_EXCEEDED'])
  expect((await session.get('/v1/memories')).body.error_code).toBe('QUOTA_EXCEEDED')

  const { status, body: summary } = await client.get('/v1/dashboard/summary')
  expect([status, summary.quota[`${metric}_limit`]]).toEqual([200, limit])
  expect((await client.get('/v1/dashboard/alerts')).body).toMatchObject([
    { type: 'QUOTA_WARNING', severity: 'CRITICAL', title: `The quota of ${metric} is used up` },
  ])
  expect((await session.get('/v1/api-keys')).status).toBe(200)
  expect((await session.get('/v1/workspaces')).status).toBe(200)
  expect((await client.delete('/v1/memories/00000000-0000-4000-8000-0000000000aa')).status).toBe(404)

  expect((await session.patch(`/v1/workspaces/${workspaceId}`, { plan: 'pro' })).status).toBe(200)
  expect((await client.get('/v1/memories')).status).toBe(200)
})
