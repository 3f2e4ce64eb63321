import {
  type Claim,
  type Database,
  inParts,
  insertRows,
  type LeasedWork,
  type Logger,
  leasedWork,
  paced,
  plainArray,
  queueAgain,
  type Tx,
} from 'mneme/plugin'
import { documentSteps, keyOf, type ReadMemory, readMemories } from './documents.ts'
import type { Markers } from './marker-writer.ts'
import { CollectionMissing, Rejected } from './messages.ts'
import { type IndexedMemory, vectorField, vectorsOf } from './schema.ts'
import { memoriesOf } from './searches.ts'
import type { SearchServer } from './server.ts'

interface QueueRow {
  /** False when only the collection that is being filled needs it. */
  readonly changed: boolean
  /** The leader of a cluster has stored it; the row stays until its followers have it too. */
  readonly acknowledged: boolean
}

/** A pending memory that this process has claimed; `id` is the memory's. */
type QueuedMemory = Claim<QueueRow>

type SendQueue = LeasedWork<QueueRow>

/** A refused memory is retried after 2, 4, 8 … seconds, up to five minutes. */
const RETRY_SECONDS_MAX = 300

export function openSendQueue(): SendQueue {
  return leasedWork<QueueRow>({
    table: 'search.typesense_queue',
    key: 'memory_id',
    columns: ['changed', 'acknowledged'],
    // The claim outlasts any send, retries included.
    leaseMs: 120_000,
    removeFinished: true,
  })
}

/** Queues changed memories of a workspace in the transaction that changes them. */
export async function enqueue(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await insertRows(
    tx,
    [...new Set(ids)].toSorted(),
    id => tx`(${workspaceId}, ${id})`,
    values => tx`
      insert into search.typesense_queue (workspace_id, memory_id)
      values ${values}
      on conflict on constraint typesense_queue_pk do update
      set ${queueAgain(tx, 'typesense_queue', tx`true`, tx`excluded.due_at`)},
        changed = true,
        acknowledged = false`,
  )
}

/** The part of a workspace that a search does not ask Typesense about. */
export interface Pending {
  /** Pending memories, whose index entries are stale, at most the limit. */
  readonly ids: readonly string[]
  /** A node that shows this marker has all others. */
  readonly marker: number
}

/** Reads both in one statement, because a memory leaves the queue in the transaction that requires its marker. */
export async function readPending(tx: Tx, index: string, workspaceId: string, limit: number): Promise<Pending> {
  const rows = await tx<{ marker: number; memory_id: string | null }[]>`
    select due.marker, pending.memory_id
    from search.typesense_marker_due(${index}) as due (marker)
    left join (
      select typesense_queue.memory_id
      from search.typesense_queue
      where typesense_queue.workspace_id = ${workspaceId}
        and typesense_queue.changed
      limit ${limit}
    ) as pending on true`
  return {
    ids: rows.flatMap(({ memory_id: id }) => (id === null ? [] : [id])),
    marker: rows[0]?.marker ?? 0,
  }
}

/**
 * Settles claims that Typesense has stored. Rows that changed meanwhile stay; the others are deleted, at once or, where followers of a
 * cluster may lag behind, when they are claimed again after `graceMs`.
 */
export async function acknowledge(
  tx: Tx,
  queue: SendQueue,
  claims: readonly QueuedMemory[],
  graceMs: number,
): Promise<void> {
  const lagging = graceMs > 0 ? claims.filter(({ row }) => row.changed && !row.acknowledged) : []
  const kept = new Set(lagging)
  await queue.finish(
    tx,
    claims.filter(claim => !kept.has(claim)),
  )
  if (lagging.length === 0) return
  const held = await queue.postpone(
    tx,
    lagging.map(claim => ({ claim, inMs: graceMs })),
  )
  await mark(tx, held, tx`acknowledged = true`)
}

/** Postpones memories that Typesense refused; until the retry Postgres serves them. */
export async function postpone(tx: Tx, queue: SendQueue, refusals: ReadonlyMap<QueuedMemory, string>): Promise<void> {
  if (refusals.size === 0) return
  const held = await queue.postpone(
    tx,
    [...refusals].map(([claim, reason]) => {
      const seconds = Math.min(RETRY_SECONDS_MAX, 2 ** Math.min(10, claim.attempts))
      return { claim, inMs: seconds * 1000, reason }
    }),
  )
  await mark(tx, held, tx`changed = true`)
}

/** Sets a column of rows that did not change since they were claimed. */
async function mark(tx: Tx, claims: readonly QueuedMemory[], column: ReturnType<Tx['unsafe']>): Promise<void> {
  await tx`
    -- across workspaces: one request to Typesense carries changes of many workspaces
    update search.typesense_queue
    set ${column}
    from unnest(
      ${plainArray(claims.map(claim => claim.workspaceId))}::uuid[],
      ${plainArray(claims.map(claim => claim.id))}::uuid[],
      ${plainArray(claims.map(claim => claim.version))}::integer[]
    ) as sent (workspace_id, memory_id, version)
    where typesense_queue.workspace_id = sent.workspace_id
      and typesense_queue.memory_id = sent.memory_id
      and typesense_queue.version = sent.version`
}

export interface QueueSize {
  /** The number of rows, those included that followers of a cluster may still lack. */
  readonly rows: number
  readonly waiting: number
  /** The number needed by the collection that is being filled. */
  readonly filling: number
  /** The number refused at least once. */
  readonly failing: number
}

export const EMPTY_QUEUE: QueueSize = { rows: 0, waiting: 0, filling: 0, failing: 0 }

export async function queueSize(tx: Tx): Promise<QueueSize> {
  const [size] = await tx<QueueSize[]>`
    -- across workspaces: metrics count the queue of every workspace
    select
      count(*) as rows,
      count(*) filter (where typesense_queue.changed and not typesense_queue.acknowledged) as waiting,
      count(*) filter (where not typesense_queue.changed) as filling,
      count(*) filter (where typesense_queue.error is not null) as failing
    from search.typesense_queue`
  return size ?? EMPTY_QUEUE
}

/** The collections that claims are sent to; those of vectors are beside them. */
export interface Targets {
  readonly live: string | undefined
  readonly building: string | undefined
}

/** An import carries this many bytes of vectors and words, unless a single memory has more. */
const IMPORT_BYTES_MAX = 4_000_000
/** A deletion carries this many ids, because its address may have 4,000 characters. */
const DELETION_MAX = 40
/** From this number of attempts on a refused memory is logged, and again at every doubling. */
const REPORTED_ATTEMPTS = 4

/** Sends the current state of claimed memories to Typesense and settles each claim by the result. */
export class Sender {
  /** The fields of collections known to exist. */
  readonly #fields = new Map<string, Set<string>>()

  constructor(
    private readonly database: Database,
    private readonly queue: SendQueue,
    private readonly server: SearchServer,
    private readonly log: Logger,
    private readonly markers: Markers,
  ) {}

  /** Settles every claim; during an outage they are released and the error is rethrown. */
  async send({ live, building }: Targets, claims: readonly QueuedMemory[]): Promise<void> {
    const refusals = new Map<QueuedMemory, string>()
    const unsent = claims.filter(({ row }) => !row.acknowledged)
    let marker: number | undefined
    try {
      const rows = await this.database.system(tx => readMemories(tx, unsent.map(toKey)))
      const memories = await paced(documentSteps(rows))
      if (live !== undefined)
        await this.#sendTo(
          live,
          unsent.filter(({ row }) => row.changed),
          memories,
          refusals,
        )
      if (building !== undefined) await this.#sendTo(building, unsent, memories, refusals)
      if (live !== undefined && unsent.some(({ row }) => row.changed)) marker = await this.#mark(live, building)
    } catch (error) {
      await this.database.system(tx => this.queue.release(tx, claims))
      throw error
    }
    const stored = claims.filter(claim => !refusals.has(claim))
    await this.database.system(async tx => {
      await acknowledge(tx, this.queue, stored, this.markers.graceMs)
      if (marker !== undefined) await this.markers.require(tx, marker)
      await postpone(tx, this.queue, refusals)
    })
    this.#report([...refusals.keys()])
  }

  /** Drops cached knowledge of a collection that may have been removed. */
  forget(collection: string): void {
    this.#fields.delete(vectorsOf(collection))
  }

  /** Both collections get it, so that no search after a switch misses it. */
  async #mark(live: string, building: string | undefined): Promise<number> {
    const marker = await this.database.system(tx => this.markers.next(tx))
    await this.markers.writeLive(live, marker)
    if (building !== undefined) await this.markers.write(building, marker.seq)
    return marker.seq
  }

  async #upsert(
    collection: string,
    part: readonly Present[],
    documentOf: (memory: ReadMemory) => IndexedMemory,
    refusals: Map<QueuedMemory, string>,
  ): Promise<void> {
    const lines = await this.server.upsert(
      collection,
      part.map(({ memory }) => documentOf(memory)),
    )
    for (const [n, { claim }] of part.entries()) {
      const line = lines[n]
      if (!line?.ok) refusals.set(claim, `${line?.code ?? ''} ${line?.error ?? 'no response'}`.trim())
    }
  }

  async #sendTo(
    collection: string,
    claims: readonly QueuedMemory[],
    memories: ReadonlyMap<string, ReadMemory>,
    refusals: Map<QueuedMemory, string>,
  ): Promise<void> {
    const present: Present[] = []
    const gone = new Map<string, string[]>()
    for (const claim of claims) {
      const memory = memories.get(keyOf(toKey(claim)))
      if (memory) present.push({ claim, memory })
      else gone.set(claim.workspaceId, [...(gone.get(claim.workspaceId) ?? []), claim.id])
    }
    try {
      await this.#ensureFields(
        vectorsOf(collection),
        present.map(({ memory }) => memory),
      )
      for (const part of inParts(present, IMPORT_BYTES_MAX, ({ memory }) => memory.bytes)) {
        await this.#upsert(collection, part, ({ words }) => words, refusals)
        await this.#upsert(vectorsOf(collection), part, ({ withVectors }) => withVectors, refusals)
      }
      for (const [workspaceId, ids] of gone) {
        for (const part of inParts(ids, DELETION_MAX)) {
          const filter = memoriesOf(workspaceId, part)
          for (const name of [collection, vectorsOf(collection)]) await this.server.remove(name, filter)
        }
      }
    } catch (error) {
      if (!(error instanceof Rejected && error.status === 404)) throw error
      this.forget(collection)
      throw new CollectionMissing(collection, { cause: error })
    }
  }

  /** Creates the vector fields that the memories need. */
  async #ensureFields(collection: string, memories: readonly ReadMemory[]): Promise<void> {
    const needed = new Map(
      memories.flatMap(({ vectors }) =>
        vectors.map(({ model, dimensions }) => [vectorField(model, dimensions), { model, dimensions }] as const),
      ),
    )
    const known = this.#fields.get(collection) ?? new Set()
    this.#fields.set(collection, known)
    for (const [name, { model, dimensions }] of needed) {
      if (known.has(name)) continue
      await this.server.addVectorField(collection, model, dimensions)
      known.add(name)
    }
  }

  #report(refused: readonly QueuedMemory[]): void {
    for (const { workspaceId, id: memoryId, attempts: failures } of refused) {
      if (failures < REPORTED_ATTEMPTS || !Number.isInteger(Math.log2(failures))) continue
      this.log.error(
        { workspaceId, memoryId, failures },
        'Typesense rejects a memory; Postgres serves it instead (bun run search verify shows the reason)',
      )
    }
  }
}

const toKey = ({ workspaceId, id }: QueuedMemory) => ({ workspaceId, memoryId: id })

interface Present {
  readonly claim: QueuedMemory
  readonly memory: ReadMemory
}
