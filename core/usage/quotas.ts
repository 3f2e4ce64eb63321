import type { Workspace } from '../auth/caller.ts'
import { countWorkspaces } from '../auth/control/workspaces.ts'
import type { Plans } from '../auth/plans.ts'
import type { Database, Tx } from '../db/database.ts'
import { urgently } from '../db/with-turns.ts'
import { type AppError, fail } from '../errors.ts'
import type { QuotaAllowance, QuotaDefinition } from './quota.ts'
import { QuotaRooms } from './quota-room.ts'
import type { MonthUsage } from './usage.ts'
import { recordUse } from './usage.ts'

/** A quota with its use. */
export interface QuotaState {
  readonly name: string
  readonly description: string
  /** `month`: consumed since the first of the month (UTC). `total`: what there is. */
  readonly window: 'month' | 'total'
  readonly per: 'workspace' | 'account'
  readonly used: number
  /** Null is unlimited. */
  readonly limit: number | null
}

/** Holds plugins to the limits of plans. Every method takes the name of a quota that some manifest lists. */
export interface Quotas {
  /**
   * Returns how many of `wanted` new ones fit: all of them or fewer. Call it first in the transaction that adds them:
   * near the limit, such transactions of one holder take turns until they end.
   */
  room(tx: Tx, workspace: Workspace, quota: string, wanted: number): Promise<number>
  /**
   * Does as `room`, all or nothing; consumption by the month is recorded with the transaction.
   * @throws QUOTA_EXCEEDED when it does not fit
   */
  take(tx: Tx, workspace: Workspace, quota: string, amount?: number): Promise<void>
  /** Makes the error for an amount that did not fit. */
  exceeded(workspace: Workspace, quota: string): AppError
  /** Lists every quota of the workspace with its use. It reads the database, so never call it inside a transaction. */
  list(workspace: Workspace): Promise<readonly QuotaState[]>
}

/** The pipeline asks this on every request. */
export interface RequestQuotas {
  /** Throws QUOTA_EXCEEDED when a quota that every request consumes is used up for the month. */
  admit(workspace: Workspace): Promise<void>
  countRequest(workspaceId: string): void
}

/** The kernel keeps and counts these itself. */
export const coreQuotas: readonly QuotaDefinition[] = [
  {
    name: 'requests',
    description: 'API requests a month.',
    limits: { free: 100_000, pro: 2_000_000, scale: 50_000_000 },
  },
  {
    name: 'tokens',
    description: 'Tokens a month that models read and write.',
    limits: { free: 5_000_000, pro: 100_000_000, scale: 2_000_000_000 },
  },
  // Each comes with allowances of its own, so their number is limited too.
  {
    name: 'workspaces',
    description: 'Workspaces of the account.',
    per: 'account',
    limits: { free: 3, pro: 20, scale: 200 },
    count: (tx, { accountId }) => countWorkspaces(tx, accountId),
  },
]

/** Every request consumes these. */
const admitted = coreQuotas.filter(({ count }) => !count)

export interface QuotaParts {
  /** The core's own included. */
  readonly definitions: readonly QuotaDefinition[]
  readonly plans: Plans
  readonly database: Pick<Database, 'workspace' | 'system'>
  readonly meter: { request(workspaceId: string): void; monthUsage(workspaceId: string): Promise<MonthUsage> }
}

export function createQuotas(parts: QuotaParts): Quotas & RequestQuotas {
  return new PlanQuotas(parts)
}

class PlanQuotas implements Quotas, RequestQuotas {
  readonly #parts: QuotaParts
  readonly #rooms = new QuotaRooms()

  constructor(parts: QuotaParts) {
    this.#parts = { ...parts, database: urgently(parts.database) }
  }

  async room(tx: Tx, workspace: Workspace, quota: string, wanted: number): Promise<number> {
    const definition = this.#definition(quota)
    return this.#rooms.room(tx, definition, this.#allowance(workspace, definition), wanted)
  }

  async take(tx: Tx, workspace: Workspace, quota: string, amount = 1): Promise<void> {
    const definition = this.#definition(quota)
    const allowance = this.#allowance(workspace, definition)
    if ((await this.#rooms.room(tx, definition, allowance, amount)) < amount) throw exceeded(definition, allowance)
    if (!definition.count) await recordUse(tx, workspace.id, { metric: quota, input: amount })
  }

  exceeded(workspace: Workspace, quota: string): AppError {
    return exceeded(this.#definition(quota), ownAllowance(workspace, quota))
  }

  async list(workspace: Workspace): Promise<readonly QuotaState[]> {
    const { definitions, database, meter } = this.#parts
    const shared = definitions.filter(({ per }) => per === 'account')
    const own = definitions.filter(definition => definition.count && !shared.includes(definition))
    const [consumed, ofWorkspace, ofAccount] = [
      await meter.monthUsage(workspace.id),
      await database.workspace(workspace.id, tx => this.#states(tx, workspace, own)),
      shared.length === 0
        ? []
        : await database.system(tx => this.#states(tx, workspace, shared), { holder: workspace.accountId }),
    ]
    const counted = new Map([...ofWorkspace, ...ofAccount].map(state => [state.name, state]))
    return definitions.map(
      definition =>
        counted.get(definition.name) ??
        stateOf(definition, ownAllowance(workspace, definition.name), consumed[definition.name] ?? 0),
    )
  }

  async admit(workspace: Workspace): Promise<void> {
    if (admitted.every(({ name }) => (workspace.quotas[name] ?? null) === null)) return
    const used = await this.#parts.meter.monthUsage(workspace.id)
    for (const definition of admitted) {
      const allowance = ownAllowance(workspace, definition.name)
      if (allowance.limit !== null && (used[definition.name] ?? 0) >= allowance.limit)
        throw exceeded(definition, allowance)
    }
  }

  countRequest(workspaceId: string): void {
    this.#parts.meter.request(workspaceId)
  }

  #definition(name: string): QuotaDefinition {
    const found = this.#parts.definitions.find(definition => definition.name === name)
    if (!found) throw new Error(`no loaded plugin lists the quota ${name}`)
    return found
  }

  #allowance(workspace: Workspace, { name, per }: QuotaDefinition): QuotaAllowance {
    if (per !== 'account') return ownAllowance(workspace, name)
    const { id, accountId, accountPlan: plan } = workspace
    return { workspaceId: id, accountId, plan, limit: this.#parts.plans.planOf(plan).quotas[name] ?? null }
  }

  #states(tx: Tx, workspace: Workspace, definitions: readonly QuotaDefinition[]): Promise<QuotaState[]> {
    return Promise.all(
      definitions.map(async definition => {
        const allowance = this.#allowance(workspace, definition)
        return stateOf(definition, allowance, (await definition.count?.(tx, allowance)) ?? 0)
      }),
    )
  }
}

function ownAllowance({ id, accountId, plan, quotas }: Workspace, name: string): QuotaAllowance {
  return { workspaceId: id, accountId, plan, limit: quotas[name] ?? null }
}

function stateOf(definition: QuotaDefinition, { limit }: QuotaAllowance, used: number): QuotaState {
  const { name, description, per = 'workspace', count } = definition
  return { name, description, window: count ? 'total' : 'month', per, used, limit }
}

function exceeded({ name, count }: QuotaDefinition, { plan, limit }: QuotaAllowance): AppError {
  return fail('QUOTA_EXCEEDED', {
    message: `The ${plan} plan's ${limit} ${name.replaceAll('_', ' ')}${count ? '' : ' a month'} are used up.`,
    ...(count ? {} : { retryAfterSeconds: secondsToNextMonth(new Date()) }),
  })
}

function secondsToNextMonth(now: Date): number {
  return Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime()) / 1000)
}
