import type { Tenant } from '../auth/caller.ts'
import { hasFeature } from '../auth/features.ts'
import type { Tx } from '../db/database.ts'
import { type Contribution, type ContributionFault, defineExtensionPoint, type Wiring } from '../ports.ts'

/** Work of one kind in a workspace that is not done. */
export interface Backlog {
  readonly waiting: number
  /** Work that ended without success, and stays as it is until somebody does something about it. */
  readonly failed: number
  /** Since when the oldest of what waits does; null where nothing waits. */
  readonly oldestAt: Date | null
  /** The same among what should have been done at once; null where all that waits does so on purpose. */
  readonly lateAt: Date | null
}

/** Says how much work of a kind waits. Contribute with `extensions: [extend(backlogSources, …)]` in `setup`. */
export interface BacklogSource {
  /** Names the kind in responses, as `letters`. Several sources of one kind are added up. */
  readonly kind: string
  /** Counts exactly, in the transaction of the workspace, however much waits: give its rows a partial index. */
  read(tx: Tx, workspaceId: string): Promise<Backlog>
}

export const backlogSources = defineExtensionPoint<BacklogSource>('core.backlogs', {
  members: { kind: 'string', read: 'function' },
  check: contributions => contributions.flatMap(kindFault),
})

function kindFault({ plugin, value: { kind } }: Contribution<BacklogSource>): ContributionFault[] {
  if (/^[a-z][a-z0-9_]*$/.test(kind)) return []
  return [{ plugin, fault: `its backlog ${kind} must be named in lower snake case` }]
}

/** Rows that are work. The conditions are SQL about `item`, in which `$1` is the workspace, and come from code alone. */
export interface BacklogRows {
  readonly kind: string
  /** With its schema. */
  readonly table: string
  /** The column that tells since when a row waits. */
  readonly since: string
  /** The rows that are not done, as the condition of a partial index has it. */
  readonly open?: string
  readonly waiting?: string
  readonly failed?: string
  /** Those that wait although they should not; all that wait without it. */
  readonly late?: string
}

/** Makes the source of a table in one statement. Without conditions it has a column `status` as all jobs of the API do. */
export function backlogOf(rows: BacklogRows): BacklogSource {
  const { kind, table, since, open = "item.status <> 'COMPLETED'", failed = "item.status = 'FAILED'" } = rows
  const waiting = rows.waiting ?? "item.status in ('PENDING', 'PROCESSING')"
  const late = rows.late === undefined ? waiting : `${waiting} and ${rows.late}`
  return {
    kind,
    async read(tx, workspaceId) {
      const [row] = await tx<Backlog[]>`
        select
          count(*) filter (where ${tx.unsafe(waiting)})::integer as waiting,
          count(*) filter (where ${tx.unsafe(failed)})::integer as failed,
          min(item.${tx(since)}) filter (where ${tx.unsafe(waiting)}) as "oldestAt",
          min(item.${tx(since)}) filter (where ${tx.unsafe(late)}) as "lateAt"
        from ${tx(table)} as item
        where item.workspace_id = ${workspaceId}
          and ${tx.unsafe(open)}`
      return row ?? NOTHING
    },
  }
}

const NOTHING: Backlog = { waiting: 0, failed: 0, oldestAt: null, lateAt: null }

/** Reads the backlogs of a workspace by kind, those that are empty as well. Work that its plan does not include is left out. */
export async function readBacklogs(
  tx: Tx,
  wiring: Pick<Wiring, 'contributions'>,
  { workspaceId, workspace }: Pick<Tenant, 'workspaceId' | 'workspace'>,
): Promise<Map<string, Backlog>> {
  const included = wiring.contributions(backlogSources).filter(({ feature }) => hasFeature(workspace, feature))
  // They are sent together, and so take one way to the database and back.
  const read = await Promise.all(
    included.map(async ({ value }) => ({ kind: value.kind, backlog: await value.read(tx, workspaceId) })),
  )
  const found = new Map<string, Backlog>()
  for (const { kind, backlog } of read) found.set(kind, sum(found.get(kind) ?? NOTHING, backlog))
  return found
}

function sum(a: Backlog, b: Backlog): Backlog {
  return {
    waiting: a.waiting + b.waiting,
    failed: a.failed + b.failed,
    oldestAt: earlier(a.oldestAt, b.oldestAt),
    lateAt: earlier(a.lateAt, b.lateAt),
  }
}

function earlier(a: Date | null, b: Date | null): Date | null {
  return a && b ? new Date(Math.min(a.getTime(), b.getTime())) : (a ?? b)
}
