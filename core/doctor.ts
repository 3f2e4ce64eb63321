import type { Tx } from './db/database.ts'
import { heldDelivery } from './events/held-deliveries.ts'
import { deleteJobs, flagAfter, HISTORY, hasFailed, tryFailedAgain } from './jobs/failed-jobs.ts'
import { createJobQueue } from './jobs/queue.ts'
import { DELIVERY_PREFIX, listHeld, type Place, takeBack } from './quarantine/store.ts'
import { RETENTION_PREFIX } from './retention/retention.ts'

/** Something that an operator can act on. */
export interface Finding {
  /** `release` takes this; undefined where there is nothing to give back. */
  readonly id: string | undefined
  readonly kind: 'quarantined' | 'given up' | 'failed job' | 'waiting job' | 'delayed jobs'
  readonly what: string
  readonly workspaceId: string | undefined
  readonly error: string
  readonly attempts: number
  readonly since: Date | undefined
}

export interface Findings {
  readonly findings: readonly Finding[]
  /** There are more of a kind than are listed. */
  readonly more: boolean
}

/** Listed of each kind, and of each work table. */
const LISTED_MAX = 100

/** A job that is due for so long is not run by anybody. */
const WAITING_MINUTES = 15

/** Jobs that wait without progress for what they need, such as a service that is away, are worth a look after this time. */
const DELAYED_MINUTES = 60

/** Looks for what jobs left out, gave up or leave lying, in the tables of all plugins, loaded or not. */
export async function examine(tx: Tx): Promise<Findings> {
  const held = await listHeld(tx, LISTED_MAX)
  const givenUp: Finding[] = []
  for (const table of await workTables(tx)) givenUp.push(...(await givenUpIn(tx, table)))
  const jobs = [...(await failedJobs(tx)), ...(await waitingJobs(tx)), ...(await delayedJobs(tx))]
  const quarantined = held.items.map(item => ({
    id: [item.sweep, item.workspaceId, item.rowId].join('/'),
    kind: 'quarantined' as const,
    what: item.sweep,
    workspaceId: item.workspaceId,
    error: item.error,
    attempts: item.attempts,
    since: item.firstAt,
  }))
  const full = (listed: readonly unknown[]) => listed.length >= LISTED_MAX
  return {
    findings: [...quarantined, ...givenUp, ...jobs],
    more: held.total > held.items.length || full(givenUp) || full(jobs),
  }
}

/** Gives one back: it is tried again by the next run. @returns whether there was such a one */
export async function release(tx: Tx, id: string): Promise<boolean> {
  const [what = '', workspaceId = '', ...rest] = id.split('/')
  const row = rest.join('/')
  if (what === 'job') return /^\d{1,18}$/.test(workspaceId) && tryFailedAgain(tx, workspaceId)
  if (!UUID.test(workspaceId)) return false
  if (what.includes(':')) return releaseHeld(tx, { sweep: what, workspaceId, rowId: row })
  const table = (await workTables(tx)).find(({ name }) => name === what)
  if (!table) return false
  const { count } = await tx`
    update ${tx(table.name)} as item
    set due_at = now(), attempts = 0, error = null
    where item.workspace_id = ${workspaceId}
      and item.${tx(table.key)}::text = ${row}
      and item.due_at is null
      and item.error is not null`
  return count > 0
}

/** Counts what was deleted: jobs, and items of the quarantine. */
export interface Discarded {
  readonly jobs: number
  readonly held: number
}

/** Deletes the jobs of a task that nobody is running, whose plugin was removed for good, and what is in quarantine under its name. */
export async function discardTask(tx: Tx, task: string): Promise<Discarded> {
  const jobs = await deleteJobs(
    tx,
    tx`select job.id from graphile_worker.jobs as job where job.task_identifier = ${task} and job.locked_at is null`,
  )
  const held = await tx`
    -- across workspaces: whoever removed a plugin removed it for all
    delete from core.quarantine as held
    where held.sweep = ${task}`
  return { jobs, held: held.count }
}

/** Names the plugin that a task is for: the kernel delivers events to plugins, and removes old rows of theirs, by tasks of its own. */
export function ownerOf(task: string): string {
  if (task.startsWith(RETENTION_PREFIX)) {
    const [schema = ''] = task.slice(RETENTION_PREFIX.length).split('.')
    return schema.replace(/^x_/, '')
  }
  const [owner = ''] = task.replace(DELIVERY_PREFIX, '').split(':')
  return owner
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

interface WorkTable {
  /** `<schema>.<table>`. */
  readonly name: string
  /** The column that, after `workspace_id`, is the primary key. */
  readonly key: string
}

/** Every table that `core.make_work_table` made one, known by the function that it made with it. */
async function workTables(tx: Tx): Promise<WorkTable[]> {
  const tables = await tx<WorkTable[]>`
    select pg_namespace.nspname || '.' || pg_class.relname as name, pg_attribute.attname as key
    from pg_proc
    join pg_namespace on pg_namespace.oid = pg_proc.pronamespace
    join pg_class on pg_class.relnamespace = pg_namespace.oid
      and pg_proc.proname = pg_class.relname || '_due_workspaces'
    join pg_index on pg_index.indrelid = pg_class.oid and pg_index.indisprimary
    join pg_attribute on pg_attribute.attrelid = pg_class.oid and pg_attribute.attnum = pg_index.indkey[1]
    where pg_class.relkind in ('r', 'p')
    order by name`
  return [...tables]
}

async function givenUpIn(tx: Tx, { name, key }: WorkTable): Promise<Finding[]> {
  const rows = await tx<{ workspace_id: string; id: string; attempts: number; error: string }[]>`
    select item.workspace_id, item.${tx(key)}::text as id, item.attempts, item.error
    from ${tx(name)} as item
    where item.due_at is null
      and item.error is not null
    order by item.workspace_id
    limit ${LISTED_MAX}`
  return rows.map(row => ({
    id: [name, row.workspace_id, row.id].join('/'),
    kind: 'given up',
    what: name,
    workspaceId: row.workspace_id,
    error: row.error,
    attempts: row.attempts,
    since: undefined,
  }))
}

interface JobRow {
  readonly id: string
  readonly task: string
  readonly workspace_id: string | null
  readonly attempts: number
  readonly error: string | null
  readonly since: Date
}

const jobColumns = (tx: Tx) => tx`
  job.id::text as id, job.task_identifier as task, ${flagAfter(tx, 'job', 'workspace_id:')} as workspace_id`

async function failedJobs(tx: Tx): Promise<Finding[]> {
  const rows = await tx<JobRow[]>`
    select
      ${jobColumns(tx)}, ${flagAfter(tx, 'job', HISTORY.failedAfter)}::integer as attempts, job.last_error as error,
      job.updated_at as since
    from graphile_worker.jobs as job
    where ${hasFailed(tx, 'job')}
    order by job.updated_at desc
    limit ${LISTED_MAX}`
  return rows.map(row => toFinding(row, 'failed job', `job/${row.id}`))
}

/** Due for long and taken by nobody: no process runs jobs, or none has the plugin of the task. */
async function waitingJobs(tx: Tx): Promise<Finding[]> {
  const rows = await tx<JobRow[]>`
    select distinct on (job.task_identifier) ${jobColumns(tx)}, job.attempts, null as error, job.run_at as since
    from graphile_worker.jobs as job
    where job.locked_at is null
      and job.attempts < job.max_attempts
      and job.run_at < now() - ${WAITING_MINUTES}::int * interval '1 minute'
    order by job.task_identifier, job.run_at
    limit ${LISTED_MAX}`
  return rows.map(row => toFinding(row, 'waiting job', undefined))
}

/** Such jobs come again by themselves, so one line of each task says how many there are. */
async function delayedJobs(tx: Tx): Promise<Finding[]> {
  const rows = await tx<{ task: string; jobs: number; attempts: number; since: Date }[]>`
    select waiting.task, count(*)::int as jobs, max(waiting.attempts) as attempts, min(waiting.since) as since
    from (
      select
        job.task_identifier as task, job.attempts,
        ${flagAfter(tx, 'job', HISTORY.waitingSince)}::timestamptz as since
      from graphile_worker.jobs as job
      where job.attempts < job.max_attempts
    ) as waiting
    where waiting.since < now() - ${DELAYED_MINUTES}::int * interval '1 minute'
    group by waiting.task
    order by waiting.task
    limit ${LISTED_MAX}`
  return rows.map(({ task, jobs, attempts, since }) => ({
    ...{ id: undefined, kind: 'delayed jobs', what: task, workspaceId: undefined, attempts, since },
    error: `${jobs} wait without progress for what they need, as a service that is away; they come again by themselves`,
  }))
}

function toFinding(row: JobRow, kind: Finding['kind'], id: string | undefined): Finding {
  const error = row.error ?? `due for more than ${WAITING_MINUTES} minutes and run by no process`
  const workspaceId = row.workspace_id ?? undefined
  return { id, kind, what: row.task, workspaceId, error, attempts: row.attempts, since: row.since }
}

/** A sweep finds a released item in its next run by itself; a delivery needs a job. */
async function releaseHeld(tx: Tx, place: Place): Promise<boolean> {
  if ((await takeBack(tx, place.workspaceId, place.sweep, [place.rowId])) === 0) return false
  if (place.sweep.startsWith(DELIVERY_PREFIX)) await createJobQueue().enqueue(tx, [heldDelivery(place)])
  return true
}
