import { beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { controlPlane } from '../../test/support/control-plane.ts'
import { handler, request } from '../../test/support/idempotent-requests.ts'
import type { Workspace } from '../auth/caller.ts'
import { createPlans } from '../auth/plans.ts'
import { createIdempotency } from '../http/idempotency.ts'
import { Leases } from '../jobs/leases.ts'
import { coreQuotas, createQuotas } from '../usage/quotas.ts'
import { createUsageMeter } from '../usage/usage-meter.ts'
import type { Database, Tx } from './database.ts'

let database: Database
let workspaceId: string
let accountId: string

beforeAll(async () => {
  const plane = await controlPlane()
  database = plane.storage.database
  ;({ workspaceId, accountId } = await plane.account())
})

/** Notes for each transaction how long a statement of it may take. */
function noting() {
  const limits: string[] = []
  const noted =
    <T>(work: (tx: Tx) => Promise<T>) =>
    async (tx: Tx) => {
      const [row] = await tx<{ limit: string }[]>`select current_setting('statement_timeout') as limit`
      limits.push(row?.limit ?? '')
      return work(tx)
    }
  const noting: Database = {
    ...database,
    system: (work, options) => database.system(noted(work), options),
    workspace: (id, work, options) => database.workspace(id, noted(work), options),
  }
  return { database: noting, limits }
}

test('what a request with a key claims, keeps and looks up has a limit, in whichever workspace', async () => {
  const { database, limits } = noting()
  const { run } = createIdempotency({ database })
  const sent = request({ homeWorkspaceId: randomUUID() })
  const { execute } = handler()
  await run(sent, execute)
  await run(sent, execute)
  await run(request(), handler(500).execute)
  expect([...new Set(limits)]).toEqual(['30s'])
  expect(limits.length).toBeGreaterThanOrEqual(7)
})

test("what is counted for a workspace's quotas has a limit", async () => {
  const { database, limits } = noting()
  const plans = createPlans({ quotas: coreQuotas, features: [] })
  const meter = createUsageMeter({ database })
  const quotas = createQuotas({ definitions: coreQuotas, plans, database, meter })
  const given = { name: 'Test', plan: 'pro', accountPlan: 'pro', settings: {}, twinOf: null }
  const workspace: Workspace = { id: workspaceId, accountId, ...given, ...plans.planOf('pro') }
  await quotas.admit(workspace)
  await quotas.list(workspace)
  expect(limits.filter(limit => limit === '30s').length).toBeGreaterThanOrEqual(2)
})

test('a renewal of leases has a limit, so that one that hangs is tried again before they lapse', async () => {
  const { database, limits } = noting()
  const leases = new Leases({ database, staleMs: 20_000 })
  await leases.renew()
  expect(limits).toEqual(['5s'])
})
