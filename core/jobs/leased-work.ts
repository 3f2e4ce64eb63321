import { randomUUID } from 'node:crypto'
import type { Database, Fragment, Tx } from '../db/database.ts'
import { plainArray } from '../db/literals.ts'
import { systemClock } from './clock.ts'
import { holding } from './holding.ts'
import {
  removeClaims,
  renewClaims,
  type Settled,
  type Settlement,
  settleClaims,
  type WorkColumns,
} from './settle-work.ts'
import type { Claim, LeasedWork, LeasedWorkOptions, Postponement } from './work-contract.ts'
import { measureWork, type WorkMetrics } from './work-metrics.ts'

export type { Claim, LeasedWork, LeasedWorkOptions, Postponement } from './work-contract.ts'

/** One claim serves so many workspaces. */
const WORKSPACES_MAX = 32
/** One look for due ones goes through so many workspaces. */
const LOOKS_MAX = 500
const LEAST = '00000000-0000-0000-0000-000000000000'

/** @typeParam R the columns that are asked for, as the driver reads them */
export function leasedWork<R = Record<never, never>>(options: LeasedWorkOptions): LeasedWork<R> {
  return new WorkTable<R>(options)
}

interface ClaimRow {
  readonly id: string
  readonly attempts: number
  readonly version: number
  readonly due_at: Date
  readonly rank: number
}

class WorkTable<R> implements LeasedWork<R> {
  readonly table: string
  readonly #options: LeasedWorkOptions
  readonly #columns: WorkColumns
  readonly #ranks: readonly number[]
  readonly #metrics: WorkMetrics | undefined
  /** Processes begin at different places, so that they do not all serve the same workspaces first. */
  #servedTo: string = randomUUID()

  constructor(options: LeasedWorkOptions) {
    this.table = options.table
    this.#options = options
    this.#columns = { table: options.table, key: options.key, keyType: options.keyType ?? 'uuid' }
    this.#ranks = options.ranks ?? [0]
    this.#metrics = options.measure && measureWork(options.measure, options.table)
  }

  async claim(tx: Tx, limit: number): Promise<Claim<R>[]> {
    const due = await this.dueWorkspaces(tx, Math.min(limit, WORKSPACES_MAX))
    // All processes keep to one order, so that none waits for another's claim in a circle.
    const workspaces = due.toSorted()
    const claims = workspaces.map((workspaceId, n) => {
      const share = Math.floor(limit / workspaces.length) + (n < limit % workspaces.length ? 1 : 0)
      return this.claimIn(tx, workspaceId, share)
    })
    return (await Promise.all(claims)).flat()
  }

  async claimIn(tx: Tx, workspaceId: string, limit: number, where?: Fragment): Promise<Claim<R>[]> {
    const { table, key, columns = [], leaseMs } = this.#options
    const lease = randomUUID()
    const [, rows] = await Promise.all([
      this.#lockClaims(tx, workspaceId),
      tx<(ClaimRow & R)[]>`
        with due as (
          select item.id, item.due_at, ranks.rank
          from unnest(${plainArray(this.#ranks)}::smallint[]) with ordinality as ranks (rank, place)
          cross join lateral (
            select queued.${tx(key)} as id, queued.due_at
            from ${tx(table)} as queued
            where queued.workspace_id = ${workspaceId}
              and queued.rank = ranks.rank
              and queued.due_at <= ${this.#now(tx)}
              ${where ? tx`and ${where}` : tx``}
            order by queued.due_at
            limit ${this.#allowed(tx, workspaceId, limit)}
            for update skip locked
          ) as item
          order by ranks.place, item.due_at
          limit ${this.#allowed(tx, workspaceId, limit)}
        )
        update ${tx(table)} as claimed
        set
          lease = ${lease}, due_at = ${this.#now(tx)} + ${leaseMs}::int * interval '1 millisecond',
          attempts = claimed.attempts + 1
        from due
        where claimed.workspace_id = ${workspaceId}
          and claimed.${tx(key)} = due.id
        returning ${columns.length > 0 ? columns.map(column => tx`claimed.${tx(column)}, `) : tx``}
          claimed.${tx(key)}::text as id, claimed.attempts, claimed.version, due.due_at, due.rank`,
    ])
    this.#metrics?.counted('claimed', rows.length)
    const place = (row: ClaimRow) => this.#ranks.indexOf(row.rank)
    return rows
      .toSorted((a, b) => place(a) - place(b) || a.due_at.getTime() - b.due_at.getTime())
      .map(row => {
        const { id, attempts, version, due_at: dueAt } = row
        return { workspaceId, id, attempts, version, dueAt, lease, row }
      })
  }

  async renew<C extends Claim>(tx: Tx, claims: readonly C[]): Promise<C[]> {
    return renewClaims(
      tx,
      this.#columns,
      claims,
      tx`${this.#now(tx)} + ${this.#options.leaseMs}::int * interval '1 millisecond'`,
    )
  }

  async finish<C extends Claim>(tx: Tx, claims: readonly C[]): Promise<C[]> {
    const settled = (those: readonly C[]) => those.map(claim => ({ claim, until: null, reason: '' }))
    if (!this.#options.removeFinished) return this.#settle(tx, settled(claims), 'finished')
    const removed = await removeClaims(tx, this.#columns, claims)
    this.#metrics?.counted('finished', removed.length)
    const gone = new Set(removed)
    const others = claims.filter(claim => !gone.has(claim))
    return [...removed, ...(await this.#settle(tx, settled(others), 'finished'))]
  }

  async release<C extends Claim>(tx: Tx, claims: readonly C[]): Promise<C[]> {
    const settled = claims.map(claim => ({ claim, until: claim.dueAt, reason: '' }))
    return this.#settle(tx, settled, 'released')
  }

  async postpone<C extends Claim>(tx: Tx, postponements: readonly Postponement<C>[]): Promise<C[]> {
    const settled = postponements.map(({ claim, inMs, reason = '' }) => ({ claim, until: { inMs }, reason }))
    return this.#settle(tx, settled, 'postponed')
  }

  async giveUp<C extends Claim>(tx: Tx, claims: readonly C[], reason: string): Promise<C[]> {
    const settled = claims.map(claim => ({ claim, until: null, reason: reason || 'for no reason given' }))
    return this.#settle(tx, settled, 'given_up')
  }

  async holding<C extends Claim, T>(
    database: Database,
    claims: readonly C[],
    signal: AbortSignal,
    work: (open: Set<C>, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { leaseMs, clock = systemClock } = this.#options
    const open = new Set(claims)
    const renew = async () => {
      const asked = [...open]
      const held = new Set(await database.system(tx => this.renew(tx, asked)))
      const lost = asked.filter(claim => open.has(claim) && !held.has(claim))
      for (const claim of lost) open.delete(claim)
      this.#metrics?.counted('lost', lost.length)
      return lost.length === 0 || open.size > 0
    }
    try {
      return await holding({ renew, everyMs: leaseMs / 3, signal, clock }, own => work(open, own))
    } finally {
      // Should the database be away, the claims lapse.
      if (open.size > 0) await database.system(tx => this.release(tx, [...open])).catch(() => undefined)
    }
  }

  async dueWorkspaces(tx: Tx, limit: number): Promise<string[]> {
    if (limit < 1) return []
    const begunAt = this.#servedTo
    const ahead = await this.#look(tx, begunAt, limit)
    if (!ahead.isEnd) {
      this.#servedTo = ahead.last
      return ahead.due
    }
    // Behind the last id it continues with the first ones, up to where it began.
    const around = await this.#look(tx, LEAST, limit - ahead.due.length)
    const before = around.due.filter(id => id <= begunAt)
    this.#servedTo = before.length < around.due.length ? begunAt : around.last
    return [...ahead.due, ...before]
  }

  async nextDueInMs(tx: Tx, workspaceId: string): Promise<number | undefined> {
    const [row] = await tx<{ in_ms: number | null }[]>`
      select ceil(1000 * extract(epoch from min(first.due_at) - ${this.#now(tx)}))::float8 as in_ms
      from unnest(${plainArray(this.#ranks)}::smallint[]) as ranks (rank)
      cross join lateral (
        select item.due_at
        from ${tx(this.table)} as item
        where item.workspace_id = ${workspaceId}
          and item.rank = ranks.rank
          and item.due_at is not null
        order by item.due_at
        limit 1
      ) as first`
    const inMs = row?.in_ms ?? undefined
    return inMs === undefined ? undefined : Math.max(0, inMs)
  }

  async #look(tx: Tx, after: string, limit: number): Promise<{ due: string[]; last: string; isEnd: boolean }> {
    const rows = await tx<{ workspace: string; is_due: boolean }[]>`
      select looked_at.workspace, looked_at.is_due
      from ${tx(`${this.table}_due_workspaces`)}(
        ${plainArray(this.#ranks)}::smallint[], ${after}::uuid, ${this.#now(tx)}, ${limit}, ${LOOKS_MAX}
      ) as looked_at`
    const due = rows.filter(row => row.is_due).map(row => row.workspace)
    return { due, last: rows.at(-1)?.workspace ?? after, isEnd: due.length < limit && rows.length < LOOKS_MAX }
  }

  async #settle<C extends Claim>(tx: Tx, settled: readonly Settled<C>[], as: Settlement): Promise<C[]> {
    const held = await settleClaims(tx, this.#columns, settled, { as, now: this.#now(tx) })
    this.#metrics?.counted(as, held.length)
    return held
  }

  /** Claims of one workspace follow each other where only so many are allowed: two at once would both count too few. */
  #lockClaims(tx: Tx, workspaceId: string) {
    if (this.#options.perWorkspaceMax === undefined) return undefined
    return tx`select pg_advisory_xact_lock(hashtextextended(${`core.work:${this.table}:${workspaceId}`}, 0))`
  }

  /** Counts how many may be claimed of a workspace now. */
  #allowed(tx: Tx, workspaceId: string, limit: number) {
    const { perWorkspaceMax } = this.#options
    if (perWorkspaceMax === undefined) return tx`${limit}::integer`
    return tx`least(${limit}::integer, greatest(0, ${perWorkspaceMax}::integer - (
      select count(*)
      from ${tx(this.table)} as held
      where held.workspace_id = ${workspaceId}
        and held.lease is not null
        and held.due_at > ${this.#now(tx)}
    )))`
  }

  #now(tx: Tx) {
    const now = this.#options.clock?.now()
    return now ? tx`${now}::timestamptz` : tx`now()`
  }
}
