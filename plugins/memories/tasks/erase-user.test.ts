import { expect, test } from 'bun:test'
import { dataSubjects, type Tenant } from 'mneme/plugin'
import { endKeys } from '../../../core/auth/control/keys.ts'
import { countResponses, forgetResponses } from '../../../core/http/idempotency.ts'
import { bind, Switchboard } from '../../../core/ports.ts'
import { createDataSubjects } from '../../../core/subjects/subjects.ts'
import { builtInPlugins } from '../../../server/plugins.ts'
import { watchedTenant } from '../../../test/support/tenant.ts'
import { beginErasure, findErasure } from '../queries/erasures.ts'
import { type MemoryWorld, memoryWorld } from '../world.test-support.ts'
import { eraseUserTask } from './erase-user.ts'

/** A workspace in which somebody is to be erased, without any jobs but the one that the test runs. */
async function scene() {
  const world = await memoryWorld({ idle: true })
  const { database } = world.scope
  const wiring = new Switchboard()
  const rows = builtInPlugins.flatMap(({ subjects = [] }) => subjects)
  wiring.bind(
    'core',
    bind(dataSubjects, createDataSubjects({ database, rows, endKeys, countResponses, forgetResponses })),
  )
  for (let n = 0; n < 3; n++) await world.create({ text: `Ada says ${n}.`, userId: 'ada' })
  await world.create({ text: 'Bob says nothing.', userId: 'bob' })
  const { workspaceId } = world.tenant
  const { id } = await world.tenant.transaction(tx => beginErasure(tx, workspaceId, 'ada'))
  return { ...world, scope: { ...world.scope, wiring }, id }
}

async function run(
  { scope, id, tenant }: Pick<MemoryWorld, 'scope' | 'tenant'> & { id: string },
  own: Tenant = tenant,
) {
  const tenants = { ...scope.tenants, tenant: async () => own }
  const payload = { workspace_id: tenant.workspaceId, erasure_id: id }
  const { signal } = new AbortController()
  const input = { payload, scope: { ...scope, tenants }, attempt: 1, maxAttempts: 10, signal }
  while (await eraseUserTask.run(input as never));
}

test('an erasure comes to its end wherever the process dies in between, and tells of it once', async () => {
  const world = await scene()
  const { tenant, id, published } = world
  let deaths = 0
  for (let last = 1; ; last++) {
    const dying = watchedTenant(tenant, async transaction => {
      if (transaction > last) throw new Error('the process died')
    })
    try {
      await run(world, dying)
      break
    } catch (error) {
      expect(error).toMatchObject({ message: 'the process died' })
      deaths++
    }
  }
  expect(deaths).toBeGreaterThan(3)
  const erasure = await tenant.transaction(tx => findErasure(tx, tenant.workspaceId, id))
  expect(erasure).toMatchObject({
    status: 'COMPLETED',
    userId: null,
    receipt: { 'memories.memory': 3, 'memories.history': 3 },
  })
  expect(published.filter(({ kind }) => kind === 'user.erased')).toHaveLength(1)
  const left = await tenant.transaction(tx => tx<{ user_id: string }[]>`select user_id from memories.memory`)
  expect([...left]).toEqual([{ user_id: 'bob' }])
})

test('two runs of an erasure at once end it once', async () => {
  const world = await scene()
  await Promise.all([run(world), run(world)])
  expect(world.published.filter(({ kind }) => kind === 'user.erased')).toHaveLength(1)
})

test('an erasure that was given up says why, and begins again when it is asked for', async () => {
  const { scope, tenant, id } = await scene()
  const { workspaceId } = tenant
  const payload = { workspace_id: workspaceId, erasure_id: id }
  await eraseUserTask.exhausted?.({ payload, scope, maxAttempts: 10 } as never, new Error('the disk is full'))
  const find = () => tenant.transaction(tx => findErasure(tx, workspaceId, id))
  expect(await find()).toMatchObject({
    status: 'FAILED',
    userId: 'ada',
    error: 'The erasure failed after 10 attempts: the disk is full',
  })
  expect((await tenant.transaction(tx => beginErasure(tx, workspaceId, 'ada'))).id).toBe(id)
  expect(await find()).toMatchObject({ status: 'PENDING', error: null })
})
