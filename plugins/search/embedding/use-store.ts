import type { Tx } from 'mneme/plugin'
import type { ModelId } from '../engine/engine.ts'
import { type ModelRecord, type ModelRow, toModel } from './model-records.ts'

/** Which model's vectors searches go by, and how far the work towards another is. */
export interface EmbeddingUse {
  readonly active: ModelRecord
  /** The model that all memories are to have vectors of next; the active one itself while it is checked for gaps. */
  readonly target: ModelRecord | undefined
  /** Memories that were looked at, of all there are, and those that the target gives no vector. */
  readonly seen: number
  readonly total: number
  readonly refused: number
  /** Every memory was looked at once. */
  readonly allSeen: boolean
  /** Whether vectors of other models are left, and whether their time has come. */
  readonly cleaning: 'none' | 'later' | 'now'
  /** Why it stands still, when it does. */
  readonly problem: string | null
  readonly failures: number
  /** There is something to do, and no process is at it. */
  readonly due: boolean
  /** A process that runs jobs cannot ask the target: one that is configured with it must do the work. */
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

/** The state, or undefined before the first start. */
export async function readUse(tx: Tx): Promise<EmbeddingUse | undefined> {
  const [row] = await tx<UseRow[]>`
    select
      ${modelJson(tx, 'active')} as active,
      case when target.id is not null then ${modelJson(tx, 'target')} end as target,
      embedding_use.seen, embedding_use.total, embedding_use.refused, embedding_use.all_seen, embedding_use.problem,
      embedding_use.failures,
      case
        when embedding_use.clean_from is null then 'none'
        when embedding_use.clean_from > now() then 'later'
        else 'now'
      end as cleaning,
      coalesce(embedding_use.claimed_until < now(), true)
        and coalesce(embedding_use.resume_at <= now(), true)
        and (embedding_use.target is not null or coalesce(embedding_use.clean_from <= now(), false)) as due,
      coalesce(embedding_use.declined_at > now() - interval '1 minute', false) as declined
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

/** The first start of all: what is configured is what searches go by. */
export async function beginUse(tx: Tx, active: ModelId): Promise<void> {
  await tx`
    insert into search.embedding_use (active)
    values (${active})
    on conflict on constraint embedding_use_pk do nothing`
}

/** The models a write needs vectors of, held until the transaction ends. */
export async function holdUse(tx: Tx): Promise<{ active: ModelId; target: ModelId | undefined } | undefined> {
  const [row] = await tx<{ active: ModelId; target: ModelId | null }[]>`
    select held.active, held.target from search.hold_embedding_use() as held`
  return row && { active: row.active, target: row.target ?? undefined }
}

/** Waits until no write relies on the state, and keeps others from relying on it. Gives up after two seconds. */
export async function lockUse(tx: Tx): Promise<void> {
  await tx`set local lock_timeout = '2s'`
  await tx`select pg_advisory_xact_lock(${USE_LOCK}, 1)`
}

/** The same number stands in `search.hold_embedding_use`. */
const USE_LOCK = 1_936_028_773

/** What a start made of its configuration. */
export type Announced = 'unchanged' | 'resumed' | 'started' | 'cancelled'

/**
 * Says what a process that starts is configured with; the latest to say so decides. Another model than the active one becomes
 * the target, from the first memory on, unless it is the target already. The active one ends the way to another: what was
 * written meanwhile is then checked for gaps. To be called with {@link lockUse}, so that no write misses a new target.
 */
export async function announceModel(tx: Tx, configured: ModelId): Promise<Announced> {
  const [row] = await tx<{ active: ModelId; target: ModelId | null }[]>`
    select embedding_use.active, embedding_use.target
    from search.embedding_use
    for update`
  if (!row) throw new Error('the state of the embedding models is gone')
  if (row.target === configured) return 'resumed'
  if (row.target === null && row.active === configured) return 'unchanged'
  await tx`
    -- across workspaces: the progress of re-embedding counts the documents of all
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
