import type { Tx } from 'mneme/plugin'
import type { ModelId } from '../engine/engine.ts'
import { type ModelRecord, type ModelRow, toModel } from './model-records.ts'

/** The active model and the progress towards the next one. */
export interface EmbeddingUse {
  readonly active: ModelRecord
  /** The model that all memories are being embedded with; equal to the active one while its gaps are checked. */
  readonly target: ModelRecord | undefined
  /** The number of memories seen, of all, and of those that the target refuses. */
  readonly seen: number
  readonly total: number
  readonly refused: number
  /** The pass has seen every memory once. */
  readonly allSeen: boolean
  /** Tells whether vectors of inactive models exist, and whether their grace period is over. */
  readonly cleaning: 'none' | 'later' | 'now'
  /** The reason for a pause, if there is one. */
  readonly problem: string | null
  readonly failures: number
  /** There is work that no process has claimed. */
  readonly due: boolean
  /** A worker process cannot reach the target, so a process configured with it must do the work. */
  readonly declined: boolean
}

interface UseRow {
  active: ModelRow
  target: ModelRow | null
  seen: number
  total: number
  refused: number
  all_seen: boolean
  cleaning: EmbeddingUse['cleaning']
  problem: string | null
  failures: number
  due: boolean
  declined: boolean
}

/** A claim expires after this time unless it is renewed, which happens every few seconds. */
export const CLAIM_SECONDS = 15
/** A pause after a failure of the model lasts no longer. */
export const PAUSE_SECONDS_MAX = 5 * 60

/** Former vectors stay no longer than this after a switch, which leaves searches twice the time they need. */
const GRACE_SECONDS_MAX = 60

/** The time of former vectors is over. A moment further ahead than that time is of a clock that was put back. */
export function mayClean(tx: Tx) {
  return tx`coalesce(embedding_use.clean_from not between now() and now() + make_interval(secs => ${GRACE_SECONDS_MAX}), false)`
}

/** No process has the work, and no pause lasts. A moment further ahead than any claim or pause is of a clock that was put back. */
export function isFree(tx: Tx) {
  return tx`
    coalesce(embedding_use.claimed_until not between now() and now() + make_interval(secs => ${CLAIM_SECONDS}), true)
      and coalesce(embedding_use.resume_at not between now() and now() + make_interval(secs => ${PAUSE_SECONDS_MAX}), true)`
}

/** Reads the state; undefined before the first start. */
export async function readUse(tx: Tx): Promise<EmbeddingUse | undefined> {
  const [row] = await tx<UseRow[]>`
    select
      ${modelJson(tx, 'active')} as active,
      case when target.id is not null then ${modelJson(tx, 'target')} end as target,
      embedding_use.seen, embedding_use.total, embedding_use.refused, embedding_use.all_seen, embedding_use.problem,
      embedding_use.failures,
      case
        when embedding_use.clean_from is null then 'none'
        when ${mayClean(tx)} then 'now'
        else 'later'
      end as cleaning,
      ${isFree(tx)}
        and (embedding_use.target is not null or ${mayClean(tx)}) as due,
      -- A later moment is of a clock that was put back.
      coalesce(embedding_use.declined_at between now() - interval '1 minute' and now(), false) as declined
    from search.embedding_use
    join search.model as active on active.id = embedding_use.active
    left join search.model as target on target.id = embedding_use.target`
  if (!row) return undefined
  const { active, target, all_seen: allSeen, ...rest } = row
  return { ...rest, allSeen, active: toModel(active), target: target ? toModel(target) : undefined }
}

function modelJson(tx: Tx, alias: 'active' | 'target') {
  const column = (name: keyof ModelRow) => tx`${tx(alias)}.${tx(name)}`
  return tx`json_build_object(
    'id', ${column('id')}, 'model_id', ${column('model_id')}, 'dimensions', ${column('dimensions')}, 'kind', ${column('kind')},
    'url', ${column('url')}, 'model', ${column('model')}, 'sends_dimensions', ${column('sends_dimensions')}
  )`
}

/** On the very first start the configured model becomes the active one. */
export async function initializeUse(tx: Tx, active: ModelId): Promise<void> {
  await tx`
    insert into search.embedding_use (active)
    values (${active})
    on conflict on constraint embedding_use_pk do nothing`
}

/** Locks the state against changes until the transaction ends. @returns the models that a write needs vectors of */
export async function lockUseForWrite(tx: Tx): Promise<{ active: ModelId; target: ModelId | undefined } | undefined> {
  const [row] = await tx<{ active: ModelId; target: ModelId | null }[]>`
    select held.active, held.target from search.hold_embedding_use() as held`
  return row && { active: row.active, target: row.target ?? undefined }
}

/** Waits until no write relies on the state and blocks new ones. It gives up after two seconds. */
export async function lockUse(tx: Tx): Promise<void> {
  await tx`set local lock_timeout = '2s'`
  await tx`select pg_advisory_xact_lock(${USE_LOCK}, 1)`
}

/** `search.hold_embedding_use` uses the same number. */
const USE_LOCK = 1_936_028_773

/** The effect of the configured model on the state at a start. */
export type ConfigurationEffect = 'unchanged' | 'resumed' | 'started' | 'cancelled'

/**
 * Applies the configured model of a starting process; the latest start decides. A model other than the active one becomes the target,
 * unless it is the target already. Configuring the active model cancels a re-embedding; memories written meanwhile are then checked for
 * gaps. Call it under {@link lockUse}, so that no write misses a new target.
 */
export async function applyConfiguredModel(tx: Tx, configured: ModelId): Promise<ConfigurationEffect> {
  const [row] = await tx<{ active: ModelId; target: ModelId | null }[]>`
    select embedding_use.active, embedding_use.target
    from search.embedding_use
    for update`
  if (!row) throw new Error('the state of the embedding models is missing')
  if (row.target === configured) return 'resumed'
  if (row.target === null && row.active === configured) return 'unchanged'
  await tx`
    -- across workspaces: the progress of re-embedding counts the documents of every workspace
    update search.embedding_use
    set target = ${configured},
      cursor_workspace = null,
      cursor_memory = null,
      all_seen = false,
      seen = 0,
      total = (select count(*) from search.document),
      refused = 0,
      clean_from = null,
      failures = 0,
      problem = null,
      resume_at = null,
      declined_at = null,
      started_at = now()`
  return row.active === configured ? 'cancelled' : 'started'
}
