import type { Tx } from '../db/database.ts'
import { plainArray, textArray } from '../db/literals.ts'
import { storableText } from '../storable-text.ts'
import type { Claim } from './work-contract.ts'

/** Locates the claims. */
export interface WorkColumns {
  readonly table: string
  readonly key: string
  readonly keyType: 'uuid' | 'text'
}

/** Settles a claim: since when it was due, or in how many milliseconds it is due again (null: not any more), and why it failed (empty: it did not). */
export interface Settled<C extends Claim> {
  readonly claim: C
  readonly until: Date | { readonly inMs: number } | null
  readonly reason: string
}

export type Settlement = 'finished' | 'released' | 'postponed' | 'given_up'

const REASON_MAX = 500

/** @returns those that still held */
export function renewClaims<C extends Claim>(
  tx: Tx,
  columns: WorkColumns,
  claims: readonly C[],
  until: ReturnType<Tx['unsafe']>,
): Promise<C[]> {
  const { table, key } = columns
  return ofEachLease(
    claims,
    group => tx<{ id: string }[]>`
      update ${tx(table)} as item
      set due_at = ${until}
      where ${isHeld(tx, group)}
        and item.${tx(key)} = any(${idsOf(tx, columns, group)})
      returning item.${tx(key)}::text as id`,
  )
}

/**
 * Ends claims. Items that were queued again meanwhile are due now, whatever became of them.
 * @returns those that still held
 */
export function settleClaims<C extends Claim>(
  tx: Tx,
  columns: WorkColumns,
  settled: readonly Settled<C>[],
  { as, now }: { readonly as: Settlement; readonly now: ReturnType<Tx['unsafe']> },
): Promise<C[]> {
  const { table, key } = columns
  const outcomes = new Map(settled.map(outcome => [outcome.claim, outcome]))
  return ofEachLease([...outcomes.keys()], group => {
    const own = group.map(claim => outcomes.get(claim))
    return tx<{ id: string }[]>`
      update ${tx(table)} as item
      set
        lease = null,
        due_at = case
          when item.version <> settled.version then ${now}
          -- Whatever was claimed was due: a later time is of a clock that was put back since.
          when settled.due_at > ${now} then ${now}
          else coalesce(settled.due_at, ${now} + settled.in_ms * interval '1 millisecond')
        end,
        attempts = case ${as}::text
          when 'finished' then 0
          when 'released' then greatest(item.attempts - 1, 0)
          else item.attempts
        end,
        error = case
          when item.version <> settled.version or ${as}::text = 'released' then item.error
          else nullif(settled.reason, '')
        end
      from unnest(
        ${idsOf(tx, columns, group)},
        ${plainArray(group.map(claim => claim.version))}::integer[],
        ${plainArray(own.map(outcome => (outcome?.until instanceof Date ? outcome.until.toISOString() : 'null')))}::timestamptz[],
        ${plainArray(own.map(outcome => inMsOf(outcome?.until)))}::bigint[],
        ${textArray(own.map(outcome => storableText(outcome?.reason ?? '', REASON_MAX)))}::text[]
      ) as settled (id, version, due_at, in_ms, reason)
      where ${isHeld(tx, group)}
        and item.${tx(key)} = settled.id
      returning item.${tx(key)}::text as id`
  })
}

/** Deletes items that were not queued again since they were claimed. @returns the claims of those */
export function removeClaims<C extends Claim>(tx: Tx, columns: WorkColumns, claims: readonly C[]): Promise<C[]> {
  const { table, key } = columns
  return ofEachLease(
    claims,
    group => tx<{ id: string }[]>`
      delete from ${tx(table)} as item
      using unnest(
        ${idsOf(tx, columns, group)}, ${plainArray(group.map(claim => claim.version))}::integer[]
      ) as settled (id, version)
      where ${isHeld(tx, group)}
        and item.${tx(key)} = settled.id
        and item.version = settled.version
      returning item.${tx(key)}::text as id`,
  )
}

/** Runs a statement for each workspace that has claims, so that it goes to one node of a distributed Postgres. */
async function ofEachLease<C extends Claim>(
  claims: readonly C[],
  statement: (group: readonly C[]) => PromiseLike<readonly { id: string }[]>,
): Promise<C[]> {
  const groups = [...Map.groupBy(claims, claim => claim.lease).values()]
  const held = await Promise.all(
    groups.map(async group => {
      const ids = new Set((await statement(group)).map(row => row.id))
      return group.filter(claim => ids.has(claim.id))
    }),
  )
  return held.flat()
}

function isHeld(tx: Tx, [first]: readonly Claim[]) {
  return tx`item.workspace_id = ${first?.workspaceId ?? null}::uuid and item.lease = ${first?.lease ?? null}::uuid`
}

function idsOf(tx: Tx, { keyType }: WorkColumns, claims: readonly Claim[]) {
  const ids = claims.map(claim => claim.id)
  return keyType === 'uuid' ? tx`${plainArray(ids)}::uuid[]` : tx`${textArray(ids)}::text[]`
}

function inMsOf(until: Settled<Claim>['until'] | undefined): string {
  return until && 'inMs' in until ? String(Math.ceil(until.inMs)) : 'null'
}
