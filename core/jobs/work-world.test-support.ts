import { randomUUID } from 'node:crypto'
import { testClock } from '../../test/support/jobs.ts'
import type { Database, Tx } from '../db/database.ts'
import type { Claim, LeasedWork } from './leased-work.ts'
import type { JobClock } from './task.ts'

/** The definition that the owner of a work table gives. */
export interface WorkTraits {
  /** The suite calls it so. */
  readonly name: string
  /** The column of its key. */
  readonly key: string
  /** A claim lasts so long. */
  readonly leaseMs: number
  /** Bounds the claims of a workspace; undefined without a limit. */
  readonly perWorkspaceMax?: number
  /** Tells whether finished items are deleted. */
  readonly removesFinished: boolean
}

/** A work table under test, on a database where nobody else claims from it. */
export interface WorkSubject {
  readonly database: Database
  /** The work as its owner defines it, with a clock of the test's. */
  open(clock: JobClock): LeasedWork<unknown>
  /** Queues new items as the owner's own statement does. @returns their ids in the order in which they are due */
  add(tx: Tx, workspaceId: string, count: number): Promise<string[]>
  /** Queues an item that is there already, by the owner's own statement. */
  addAgain(tx: Tx, workspaceId: string, id: string): Promise<void>
}

interface Row {
  id: string
  due_at: Date | null
  lease: string | null
  attempts: number
  error: string | null
}

/** A process that works on the table: a clock of the test's, and statements to look at the items. */
export function workWorld(subject: WorkSubject, { key }: WorkTraits) {
  const { database } = subject
  const clock = testClock({})
  const work = subject.open(clock)
  // Leftovers of other tests are not due any more.
  const begin = () =>
    database.system(async tx => {
      await tx`update ${tx(work.table)} set due_at = null, lease = null`
    })
  const add = async (count: number, workspaceId: string = randomUUID()) => {
    const added = await database.system(tx => subject.add(tx, workspaceId, count))
    // The owner's statements go by the database's clock, the work by the test's, which is no later.
    await database.system(
      tx => tx`
      update ${tx(work.table)} set due_at = ${clock.now()}::timestamptz - interval '1 hour' + (due_at - now())
      where workspace_id = ${workspaceId} and due_at is not null and lease is null`,
    )
    return { workspaceId, ids: added }
  }
  const claim = (limit: number) => database.system(tx => work.claim(tx, limit))
  const claimIn = (workspaceId: string, limit: number) =>
    database.workspace(workspaceId, tx => work.claimIn(tx, workspaceId, limit))
  const rows = (workspaceId: string) =>
    database.system(
      tx => tx<Row[]>`
        select ${tx(key)}::text as id, due_at, lease, attempts, error
        from ${tx(work.table)}
        where workspace_id = ${workspaceId}`,
    )
  const rowOf = async ({ workspaceId, id }: Pick<Claim, 'workspaceId' | 'id'>) =>
    (await rows(workspaceId)).find(row => row.id === id)
  return { clock, work, begin, add, claim, claimIn, rows, rowOf }
}
