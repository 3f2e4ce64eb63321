import { randomUUID } from 'node:crypto'
import type { Database, Fragment, Tx } from '../db/database.ts'
import { plainArray, textArray } from '../db/literals.ts'
import { storableText } from '../storable-text.ts'
import { holding } from './holding.ts'
import { systemClock } from './task.ts'
import type { Claim, LeasedWork, LeasedWorkOptions, Postponement } from './work-contract.ts'
import { measureWork, type WorkMetrics } from './work-metrics.ts'

export type { Claim, LeasedWork, LeasedWorkOptions, Postponement } from './work-contract.ts'

/** One claim serves so many workspaces. */
const WORKSPACES_MAX = 32
/** One look for due ones goes through so many workspaces. */
const LOOKS_MAX = 500
const LEAST = '00000000-0000-0000-0000-000000000000'
const REASON_MAX = 500

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

/** Settles a claim: since when it was due, or in how many milliseconds it is due again (neither: not any more), and why it failed. */
interface Settled<C extends Claim> {
  readonly claim: C
  readonly dueAt?: Date
  readonly inMs?: number
  readonly reason?: string
}

type Settlement = 'finished' | 'released' | 'postponed' | 'given_up'

class WorkTable<R> implements LeasedWork<R> {
  readonly table: string
  readonly #options: LeasedWorkOptions
  readonly #ranks: readonly number[]
  readonly #metrics: WorkMetrics | undefined
  /** Processes begin at different places, so that they do not all serve the same workspaces first. */
  #servedTo: string = randomUUID()

  constructor(options: LeasedWorkOptions) {
    this.table = options.table
    this.#options = options
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
    const { table, key, columns = [] } = this.#options
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
        set lease = ${lease}, due_at = ${this.#leaseEnd(tx)}, attempts = claimed.attempts + 1
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

  renew<C extends Claim>(tx: Tx, claims: readonly C[]): Promise<C[]> {
    return this.#ofEachLease(
      tx,
      claims,
      (group, isHeld, key) => tx<{ id: string }[]>`
      update ${tx(this.table)} as item
      set due_at = ${this.#leaseEnd(tx)}
      where ${isHeld} and ${key} = any(${this.#ids(tx, group)})
      returning ${key}::text as id`,
    )
  }

  async finish<C extends Claim>(tx: Tx, claims: readonly C[]): Promise<C[]> {
    const removed = this.#options.removeFinished ? await this.#remove(tx, claims) : []
    const gone = new Set(removed)
    const others = claims.filter(claim => !gone.has(claim)).map(claim => ({ claim }))
    return [...removed, ...(await this.#settle(tx, others, 'finished'))]
  }

  release<C extends Claim>(tx: Tx, claims: readonly C[]): Promise<C[]> {
    const settled = claims.map(claim => ({ claim, dueAt: claim.dueAt }))
    return this.#settle(tx, settled, 'released')
  }

  postpone<C extends Claim>(tx: Tx, postponements: readonly Postponement<C>[]): Promise<C[]> {
    return this.#settle(tx, postponements, 'postponed')
  }

  giveUp<C extends Claim>(tx: Tx, claims: readonly C[], reason: string): Promise<C[]> {
    const settled = claims.map(claim => ({ claim, reason: reason || 'for no reason given' }))
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

  /** Ends claims. Items that were queued again meanwhile are due now, whatever became of them. */
  async #settle<C extends Claim>(tx: Tx, settled: readonly Settled<C>[], as: Settlement): Promise<C[]> {
    const outcomes = new Map(settled.map(outcome => [outcome.claim, outcome]))
    const now = this.#now(tx)
    const held = await this.#ofEachLease(tx, [...outcomes.keys()], (group, isHeld, key) => {
      const own = group.map(claim => outcomes.get(claim))
      return tx<{ id: string }[]>`
        update ${tx(this.table)} as item
        set
          lease = null,
          due_at = case when item.version <> settled.version then settled.now else settled.due_at end,
          attempts = case
            when ${as}::text = 'finished' then 0
            when ${as}::text = 'released' then greatest(item.attempts - 1, 0)
            else item.attempts
          end,
          error = case
            when item.version <> settled.version or ${as}::text = 'released' then item.error
            else nullif(settled.reason, '')
          end
        from (
          -- Whatever was claimed was due: a later time is of a clock that was put back since.
          select
            id, version, ${now} as now, reason,
            case when due_at > ${now} then ${now} else coalesce(due_at, ${now} + in_ms * interval '1 millisecond') end as due_at
          from unnest(
            ${this.#ids(tx, group)},
            ${plainArray(group.map(claim => claim.version))}::integer[],
            ${plainArray(own.map(outcome => outcome?.dueAt?.toISOString() ?? 'null'))}::timestamptz[],
            ${plainArray(own.map(outcome => (outcome?.inMs === undefined ? 'null' : Math.ceil(outcome.inMs))))}::bigint[],
            ${textArray(own.map(outcome => storableText(outcome?.reason ?? '', REASON_MAX)))}::text[]
          ) as given (id, version, due_at, in_ms, reason) offset 0
        ) as settled
        where ${isHeld} and ${key} = settled.id
        returning ${key}::text as id`
    })
    this.#metrics?.counted(as, held.length)
    return held
  }

  /** Deletes items that were not queued again since they were claimed. @returns the claims of those */
  async #remove<C extends Claim>(tx: Tx, claims: readonly C[]): Promise<C[]> {
    const removed = await this.#ofEachLease(
      tx,
      claims,
      (group, isHeld, key) => tx<{ id: string }[]>`
      delete from ${tx(this.table)} as item
      using unnest(${this.#ids(tx, group)}, ${plainArray(group.map(claim => claim.version))}::integer[]) as settled (id, version)
      where ${isHeld} and ${key} = settled.id and item.version = settled.version
      returning ${key}::text as id`,
    )
    this.#metrics?.counted('finished', removed.length)
    return removed
  }

  /**
   * Runs a statement for each workspace that has claims, so that it goes to one node of a distributed Postgres.
   * @returns the claims of the items that it returned
   */
  async #ofEachLease<C extends Claim>(
    tx: Tx,
    claims: readonly C[],
    statement: (group: readonly C[], isHeld: Fragment, key: Fragment) => PromiseLike<readonly { id: string }[]>,
  ): Promise<C[]> {
    const groups = [...Map.groupBy(claims, claim => claim.lease)]
    const held = await Promise.all(
      groups.map(async ([lease, group]) => {
        const isHeld = tx`item.workspace_id = ${group[0]?.workspaceId ?? null}::uuid and item.lease = ${lease}::uuid`
        const rows = await statement(group, isHeld, tx`item.${tx(this.#options.key)}`)
        const ids = new Set(rows.map(row => row.id))
        return group.filter(claim => ids.has(claim.id))
      }),
    )
    return held.flat()
  }

  #ids(tx: Tx, claims: readonly Claim[]): Fragment {
    const ids = claims.map(claim => claim.id)
    return this.#options.keyType === 'text' ? tx`${textArray(ids)}::text[]` : tx`${plainArray(ids)}::uuid[]`
  }

  /** Claims of one workspace follow each other where only so many are allowed: two at once would both count too few. */
  #lockClaims(tx: Tx, workspaceId: string) {
    if (this.#options.perWorkspaceMax === undefined) return undefined
    return tx`select pg_advisory_xact_lock(hashtextextended(${`core.work:${this.table}:${workspaceId}`}, 0))`
  }

  /** Counts how many may be claimed of a workspace now. */
  #allowed(tx: Tx, workspaceId: string, limit: number): Fragment {
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

  #leaseEnd(tx: Tx): Fragment {
    return tx`${this.#now(tx)} + ${this.#options.leaseMs}::int * interval '1 millisecond'`
  }

  #now(tx: Tx): Fragment {
    const now = this.#options.clock?.now()
    return now ? tx`${now}::timestamptz` : tx`now()`
  }
}
