import { beforeAll, describe, expect, test } from 'bun:test'
import { controlPlane, failure } from '../../test/support/control-plane.ts'
import type { Workspace } from '../auth/caller.ts'
import { insertWorkspace } from '../auth/control/workspaces.ts'
import { createPlans } from '../auth/plans.ts'
import { createTenantDirectory } from '../auth/tenant-directory.ts'
import type { Database, Tx } from '../db/database.ts'
import type { QuotaDefinition } from './quota.ts'
import { coreQuotas, createQuotas } from './quotas.ts'
import { createUsageMeter } from './usage-meter.ts'

let database: Database
let counted = 0

/** Events stand for what a plugin stores. */
const stored: QuotaDefinition = {
  name: 'cups',
  description: 'Cups in all.',
  limits: { free: 5, pro: 40, scale: 1_000_000 },
  async count(tx, { workspaceId }) {
    counted++
    const [row] = await tx<{ n: number }[]>`
      select count(*)::int as n from core.event where event.workspace_id = ${workspaceId}`
    return row?.n ?? 0
  },
}
const consumed: QuotaDefinition = {
  name: 'firings',
  description: 'Firings a month.',
  limits: { free: 10, pro: 20, scale: 30 },
}
const shared: QuotaDefinition = {
  name: 'kilns',
  description: 'Kilns of the account.',
  per: 'account',
  limits: { free: 1, pro: 2, scale: 3 },
  async count(tx, { accountId }) {
    const [row] = await tx<{ n: number }[]>`
      select count(*)::int as n from core.workspace where workspace.account_id = ${accountId} and workspace.mode = 'live'`
    return row?.n ?? 0
  },
}
/** Its rows are of no workspace, so that a request counts them all. */
const sharedByRequests: QuotaDefinition = {
  name: 'wheels',
  description: 'Wheels of the account.',
  per: 'account',
  limits: { free: 1, pro: 2, scale: 3 },
  count: async () => 2,
}
const definitions = [...coreQuotas, stored, consumed, shared, sharedByRequests]
const plans = createPlans({ features: [], quotas: definitions })

beforeAll(async () => {
  database = (await controlPlane()).storage.database
})

async function world(plan: string) {
  const { accountId, workspaceId } = await (await controlPlane()).account()
  await database.system(tx => tx`update core.workspace set plan = ${plan} where id = ${workspaceId}`)
  const meter = createUsageMeter({ database })
  const quotas = createQuotas({ definitions, plans, database, meter })
  const workspace: Workspace = {
    id: workspaceId,
    name: 'Test',
    accountId,
    plan,
    accountPlan: plan,
    ...plans.planOf(plan),
    settings: {},
    twinOf: null,
  }
  const within = <T>(work: (tx: Tx) => Promise<T>) => database.workspace(workspaceId, work)
  const add = (amount: number) =>
    within(async tx => {
      const room = await quotas.room(tx, workspace, 'cups', amount)
      await tx`
        insert into core.event (workspace_id, id, kind)
        select ${workspaceId}, gen_random_uuid(), 'cup.made' from generate_series(1, ${room}::int)`
      return room
    })
  const use = async () => {
    const list = await quotas.list(workspace)
    return Object.fromEntries(list.map(({ name, used, limit }) => [name, [used, limit]]))
  }
  return { quotas, workspace, within, add, use, meter }
}

describe('what there is', () => {
  test('never exceeds the limit, however many add at once', async () => {
    const { add, use } = await world('pro')
    const rooms = await Promise.all(Array.from({ length: 12 }, (_, n) => add(1 + (n % 7))))
    expect(rooms.reduce((sum, room) => sum + room, 0)).toBe(40)
    expect((await use()).cups).toEqual([40, 40])
    expect(await add(1)).toBe(0)
  })

  test('is counted once for many writes far from the limit, and each time near it', async () => {
    const far = await world('scale')
    counted = 0
    for (let n = 0; n < 20; n++) expect(await far.add(1)).toBe(1)
    expect(counted).toBe(1)
    const near = await world('pro')
    counted = 0
    for (let n = 0; n < 3; n++) await near.add(1)
    expect(counted).toBe(6)
  })

  test('is not counted at all where there is no limit', async () => {
    const { add, use } = await world('unlimited')
    counted = 0
    expect(await add(1000)).toBe(1000)
    expect(counted).toBe(0)
    expect((await use()).cups).toEqual([1000, null])
  })

  test('is refused as a whole by take, in a sentence with the plan and the limit', async () => {
    const { quotas, workspace, within, add } = await world('free')
    await add(4)
    expect(await failure(within(tx => quotas.take(tx, workspace, 'cups', 2)))).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      status: 429,
      message: "The free plan's 5 cups are used up.",
    })
    await within(tx => quotas.take(tx, workspace, 'cups'))
  })
})

describe('what is consumed by the month', () => {
  test('is recorded with the transaction of its consumer, and never exceeds the limit', async () => {
    const { quotas, workspace, within, use } = await world('free')
    const take = (amount: number) => within(tx => quotas.take(tx, workspace, 'firings', amount))
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => take(3)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    const failed = within(async tx => {
      await quotas.take(tx, workspace, 'firings', 1)
      throw new Error('after it')
    })
    await expect(failed).rejects.toThrow('after it')
    expect((await use()).firings).toEqual([9, 10])
    expect(await failure(take(2))).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      message: "The free plan's 10 firings a month are used up.",
      retryAfterSeconds: expect.any(Number),
    })
    await take(1)
  })

  test('is recorded where there is no limit, too', async () => {
    const { quotas, workspace, within, use } = await world('unlimited')
    await within(tx => quotas.take(tx, workspace, 'firings', 1000))
    expect((await use()).firings).toEqual([1000, null])
  })
})

describe('what an account has', () => {
  test('is judged by the plan of its first workspace, whichever asks', async () => {
    const { quotas, workspace, use } = await world('pro')
    const second = await database.system(tx =>
      insertWorkspace(tx, { accountId: workspace.accountId, name: 'Second', plan: 'unlimited' }),
    )
    const other = await createTenantDirectory({ database, plans }).tenant(second.id)
    const refusal = (things: string) => ({
      code: 'QUOTA_EXCEEDED',
      message: `The pro plan's 2 ${things} are used up.`,
    })
    const asked = database.system(tx => quotas.take(tx, other.workspace, 'kilns'))
    expect(await failure(asked)).toMatchObject(refusal('kilns'))
    // The role of requests sees neither the account's workspaces nor their plans.
    const within = other.transaction(tx => quotas.take(tx, other.workspace, 'wheels'))
    expect(await failure(within)).toMatchObject(refusal('wheels'))
    expect((await use()).kilns).toEqual([2, 2])
  })
})

describe('requests and tokens', () => {
  test('are admitted until the month has no more of them, and listed with the rest', async () => {
    const { quotas, workspace, meter, use } = await world('free')
    await quotas.admit(workspace)
    meter.tokens(workspace.id, 'embedding', 4_000_000, 1_000_000)
    quotas.countRequest(workspace.id)
    expect(await failure(quotas.admit(workspace))).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      message: "The free plan's 5000000 tokens a month are used up.",
    })
    expect(await use()).toMatchObject({ requests: [1, 100_000], tokens: [5_000_000, 5_000_000] })
    await quotas.admit({ ...workspace, ...plans.planOf('pro') })
  })

  test('a quota that no manifest lists is a fault of the caller', async () => {
    const { quotas, workspace, within } = await world('free')
    const asked = within(tx => quotas.take(tx, workspace, 'saucers'))
    expect((await failure(asked))?.message).toBe('no loaded plugin lists the quota saucers')
  })
})
