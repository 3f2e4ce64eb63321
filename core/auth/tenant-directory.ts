import type { Database, TransactionOptions, Tx } from '../db/database.ts'
import { fail } from '../errors.ts'
import { createLoadingCache } from '../loading-cache.ts'
import type { Caller, Tenant, Workspace } from './caller.ts'
import type { TenantGate } from './directory.ts'
import type { Plans } from './plans.ts'
import { roleIn } from './roles.ts'
import { storedSettings } from './settings.ts'

/** A change on one server reaches the others within 5 s; the query takes the rest of that. */
const CACHE_MS = 4000
const CACHE_SIZE = 10_000

interface TenantDirectoryOptions {
  readonly database: Database
  readonly plans: Plans
  /** A reading of a clock in milliseconds; tests replace the process's own with it. */
  readonly now?: () => number
}

interface Entry {
  readonly workspace: Workspace
  readonly tenant: Tenant
  /** The test twin of a live workspace; null for a twin. */
  readonly twinId: string | null
}

/**
 * Finds workspaces by id through a bounded cache over the control plane. Unknown ids are not cached, so a new workspace
 * works at once.
 */
export function createTenantDirectory({ database, plans, ...clock }: TenantDirectoryOptions): TenantGate {
  const cache = createLoadingCache<Entry>({
    name: 'auth.workspaces',
    max: CACHE_SIZE,
    ttlMs: CACHE_MS,
    ...clock,
    bytesOf: ({ workspace }) => 2 * JSON.stringify(workspace.settings).length,
    load: id => load(database, plans, id),
  })

  async function entry(id: string): Promise<Entry> {
    const found = await cache.get(id)
    if (!found) throw fail('WORKSPACE_NOT_FOUND')
    return found
  }

  return {
    known: workspaceId => cache.known(workspaceId)?.workspace,
    async find(workspaceId) {
      return (await cache.get(workspaceId))?.workspace
    },
    async tenant(workspaceId) {
      return (await entry(workspaceId)).tenant
    },
    async select(caller, requested) {
      const own = requested === undefined || requested === caller.workspaceId
      const found = await entry(own ? caller.workspaceId : requested)
      if (own) return found.tenant
      if (!mayUse(caller, found.workspace)) throw fail('WORKSPACE_ACCESS_DENIED')
      const asked = found.twinId === null ? 'test' : 'live'
      // A signed-in account may look into a twin; a live key never mixes with test data.
      if (asked === caller.mode || caller.kind === 'session') return found.tenant
      if (caller.mode === 'test' && found.twinId !== null) return (await entry(found.twinId)).tenant
      throw fail('WORKSPACE_ACCESS_DENIED', { message: 'A live key cannot use a test workspace.' })
    },
    forgetWorkspaces(accountId) {
      cache.forgetWhere(({ workspace }) => workspace.accountId === accountId)
    },
  }
}

/** Grants name live workspaces and extend to their twins. */
function mayUse(caller: Caller, workspace: Workspace): boolean {
  if (caller.kind === 'session') return roleIn(caller, workspace) !== undefined
  if (caller.kind === 'anonymous' || workspace.accountId !== caller.accountId) return false
  return caller.grantedWorkspaceIds?.has(workspace.twinOf ?? workspace.id) ?? false
}

interface Row {
  id: string
  account_id: string
  name: string
  plan: string
  account_plan: string
  settings: unknown
  twin_of: string | null
  twin_id: string | null
}

async function load(database: Database, plans: Plans, id: string): Promise<Entry | undefined> {
  const [row] = await database.system(
    tx => tx<Row[]>`
      select workspace.id, workspace.account_id, workspace.name, coalesce(live.plan, workspace.plan) as plan,
        workspace.settings, workspace.twin_of, twin.id as twin_id, (
          select first.plan
          from core.workspace as first
          where first.account_id = workspace.account_id
            and first.twin_of is null
            and first.deleted_at is null
          order by first.created_at, first.id
          limit 1
        ) as account_plan
      from core.workspace
      left join core.workspace twin on twin.twin_of = workspace.id
      left join core.workspace live on live.id = workspace.twin_of
      where workspace.id = ${id}
        and workspace.deleted_at is null`,
  )
  if (!row) return undefined
  const workspace = toWorkspace(row, plans)
  return { workspace, tenant: tenantOf(database, workspace), twinId: row.twin_id }
}

function toWorkspace(row: Row, plans: Plans): Workspace {
  const { features, quotas } = plans.planOf(row.plan)
  return {
    id: row.id,
    name: row.name,
    accountId: row.account_id,
    plan: row.plan,
    accountPlan: row.account_plan,
    features,
    quotas,
    settings: storedSettings(row.settings),
    twinOf: row.twin_of,
  }
}

function tenantOf(database: Database, workspace: Workspace): Tenant {
  return {
    workspaceId: workspace.id,
    workspace,
    transaction: <T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions) =>
      database.workspace(workspace.id, work, options),
  }
}
