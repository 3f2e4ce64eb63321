import { createHash } from 'node:crypto'
import type { Database, Tx } from '../db/database.ts'
import { textArray } from '../db/literals.ts'
import { deleteJobs, flagAfter } from '../jobs/failed-jobs.ts'
import { payloadFlag } from '../jobs/queue.ts'
import { definePort } from '../ports.ts'

/**
 * Says which rows of a table are those of a data subject: somebody whose id callers give, as `user_id`. A plugin lists each of its
 * tables with a column that names users in its manifest, and the erasure of a person removes the rows by these entries, also where
 * the plugin is switched off. What else tells of the person (other columns, files, other servers) the plugin removes itself.
 */
export interface SubjectRows {
  /** `<schema>.<table>` in the plugin's own schema: a tenant table, with an index on `workspace_id` and the column. */
  readonly table: string
  /** A column of type text with the id of the person. */
  readonly column: string
  /** Adds a condition in SQL on the row, which is called `item`. Fixed text: nothing of a request may come in here. */
  readonly where?: string
  /**
   * `blank` in place of a deletion: assignments in SQL that leave nothing of the person, `column` included; `:subject` stands for the id.
   * `own`: whoever erases removes the rows itself, because more than a delete is needed, and here they are only counted.
   */
  readonly instead?: 'own' | { readonly blank: string }
  /** Tables whose rows go with the row. */
  readonly parts?: readonly SubjectParts[]
}

export interface SubjectParts {
  readonly table: string
  /** Holds the key of the row that the part belongs to. */
  readonly column: string
  /** The column of the row that the parts name; `id` where it is left out. */
  readonly key?: string
  /** As {@link SubjectRows.where}, on the part, which is called `part`: for its index. */
  readonly where?: string
}

/** Numbers of rows, by table; tables without any are left out. */
export type RowCounts = Readonly<Record<string, number>>

/** Erases data subjects from the tables of all plugins and of the kernel. */
export interface DataSubjects {
  /** Counts the rows of a person. */
  count(tx: Tx, workspaceId: string, subject: string): Promise<RowCounts>
  /** Removes the rows of a person, in short transactions. Events stay, as reactions to them may still wait; so do rows of `own` tables. */
  erase(workspaceId: string, subject: string, signal: AbortSignal): Promise<RowCounts>
  /**
   * Tells whether a reaction to an event of the person from before `until` still waits, or a job that names the person runs. Such jobs that
   * only wait are dropped, as what they are to work on is gone.
   */
  isAwaited(workspaceId: string, subject: string, until: Date): Promise<boolean>
  /** Takes the person out of the events, in short transactions. Counts and times stay for figures. */
  eraseEvents(workspaceId: string, subject: string, signal: AbortSignal): Promise<RowCounts>
  /**
   * Has writers that name the person wait until the caller's transaction ends, once those under way are over; to be called first in the
   * transaction that ends an erasure. Writers take their side of it with {@link lockSubject}.
   */
  holdWriters(tx: Tx, workspaceId: string, subject: string): Promise<void>
  /** Removes what is left, events included, in the caller's transaction of the workspace. */
  eraseRest(tx: Tx, workspaceId: string, subject: string): Promise<RowCounts>
}

export const dataSubjects = definePort<DataSubjects>('core.data-subjects')

/** The first key of the advisory locks that writers share and the end of an erasure has alone. */
const SUBJECT_LOCK = 1_399_153_018
/** All people of all workspaces share so many locks: a writer of many people takes as many, and a database has room for some thousands. */
const SUBJECT_LOCKS = 256

/**
 * Has the end of an erasure of one of these people wait for this transaction, and this one for the end of it. Publishing events with a `userId`
 * does so too; this is for writes that publish none.
 */
export async function lockSubject(tx: Tx, workspaceId: string, ...subjects: readonly string[]): Promise<void> {
  if (subjects.length === 0) return
  await tx`
    select pg_advisory_xact_lock_shared(${SUBJECT_LOCK}, hashtext(${`${workspaceId} `}::text || subject) & ${SUBJECT_LOCKS - 1})
    from unnest(${textArray([...new Set(subjects)])}::text[]) as subject`
}

/** Kept responses list this beside the ids of what they show: a UUID (version 8) that stands for a person and tells nothing of them. */
export function subjectMark(workspaceId: string, subject: string): string {
  const hex = createHash('sha256').update(`subject ${workspaceId} ${subject}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

/**
 * Ids, numbers and truth values stay, so that reactions which still wait find what they are about; all texts go. An id of the person may
 * look like any other.
 */
const EVENT_BLANK = `user_id = null, subject_id = nullif(item.subject_id, :subject), data = (
  select coalesce(jsonb_object_agg(part.key, case
    when part.value <> to_jsonb(:subject::text)
      and part.value::text ~ '^\\[?(("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"|-?[0-9.]+|true|false|null)(, )?)*\\]?$' then part.value
    when jsonb_typeof(part.value) = 'array' then '[]'
    else 'null'
  end), '{}')
  from jsonb_each(item.data) as part (key, value)
)`

const EVENTS: SubjectRows = { table: 'core.event', column: 'user_id', instead: { blank: EVENT_BLANK } }

/** Work for a person that is set aside is named by the person's id. */
const QUARANTINE: SubjectRows = { table: 'core.quarantine', column: 'row_id' }

/** Keys are rows of no workspace, which requests have no right to: {@link SubjectParties.endKeys} ends those that are bound to the person. */
const KEYS: SubjectRows = { table: 'core.api_key', column: 'user_id', instead: 'own' }

/** The kernel has no manifest, so its tables that name users are listed here; `check.test.ts` looks for others. */
export const CORE_SUBJECTS: readonly SubjectRows[] = [QUARANTINE, EVENTS, KEYS]

/** Kept responses name users by marks in a list, which no entry describes. */
const RESPONSES = 'core.idempotent_response'

/** A transaction removes so many rows, with their parts: few enough that other users of the tables hardly notice. */
const BATCH = 500

export interface SubjectParties {
  readonly database: Database
  /** Entries of all plugins, those that are switched off included. */
  readonly rows: readonly SubjectRows[]
  /** Ends the keys and tokens that are bound to the person, and blanks whose they were. @returns how many */
  endKeys(tx: Tx, workspaceId: string, subject: string): Promise<number>
  /** Counts kept responses that mention the id. */
  countResponses(tx: Tx, workspaceId: string, id: string): Promise<number>
  /** Erases kept responses that mention one of these ids, and returns how many. */
  forgetResponses(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<number>
}

export function createDataSubjects(parties: SubjectParties): DataSubjects {
  const { database, rows } = parties
  const known = (tx: Tx) =>
    existing(
      tx,
      [...rows, ...CORE_SUBJECTS].filter(entry => entry !== KEYS),
    )
  const counts = async (tables: readonly SubjectRows[], one: (entry: SubjectRows) => Promise<RowCounts>) => {
    let sum: RowCounts = {}
    for (const entry of tables) sum = addCounts(sum, await one(entry))
    return sum
  }
  const inBatches = async (entry: SubjectRows, workspaceId: string, subject: string, signal: AbortSignal) => {
    let sum: RowCounts = {}
    for (;;) {
      signal.throwIfAborted()
      const batch = await database.workspace(workspaceId, tx => eraseBatch(tx, entry, workspaceId, subject))
      sum = addCounts(sum, batch)
      if ((batch[entry.table] ?? 0) < BATCH) return sum
    }
  }
  const forgetResponses = async (tx: Tx, workspaceId: string, subject: string) => {
    return addCounts(
      {},
      { [RESPONSES]: await parties.forgetResponses(tx, workspaceId, [subjectMark(workspaceId, subject)]) },
    )
  }
  return {
    async count(tx, workspaceId, subject) {
      const kept = await parties.countResponses(tx, workspaceId, subjectMark(workspaceId, subject))
      const found = await counts(await known(tx), entry => countRows(tx, entry, workspaceId, subject))
      return addCounts(found, { [RESPONSES]: kept })
    },
    async erase(workspaceId, subject, signal) {
      const ended = await database.system(tx => parties.endKeys(tx, workspaceId, subject))
      const forgotten = await database.workspace(workspaceId, tx => forgetResponses(tx, workspaceId, subject))
      const kept = addCounts(forgotten, { [KEYS.table]: ended })
      const tables = (await database.workspace(workspaceId, known)).filter(entry => entry !== EVENTS)
      return addCounts(kept, await counts(tables, entry => inBatches(entry, workspaceId, subject, signal)))
    },
    isAwaited: (workspaceId, subject, until) =>
      database.system(async tx => {
        await dropJobs(tx, workspaceId, subject)
        return hasJobs(tx, workspaceId, subject, until)
      }),
    eraseEvents: (workspaceId, subject, signal) => inBatches(EVENTS, workspaceId, subject, signal),
    async holdWriters(tx, workspaceId, subject) {
      await tx`select pg_advisory_xact_lock(${SUBJECT_LOCK}, hashtext(${`${workspaceId} ${subject}`}) & ${SUBJECT_LOCKS - 1})`
    },
    async eraseRest(tx, workspaceId, subject) {
      const kept = await forgetResponses(tx, workspaceId, subject)
      const rest = await counts(await known(tx), async entry => {
        let sum: RowCounts = {}
        for (;;) {
          const batch = await eraseBatch(tx, entry, workspaceId, subject)
          sum = addCounts(sum, batch)
          if ((batch[entry.table] ?? 0) < BATCH) return sum
        }
      })
      return addCounts(kept, rest)
    },
  }
}

export function addCounts(some: RowCounts, more: RowCounts): RowCounts {
  const sum: Record<string, number> = { ...some }
  for (const [table, count] of Object.entries(more)) if (count > 0) sum[table] = (sum[table] ?? 0) + count
  return sum
}

/** A plugin that was always switched off never made its tables. */
async function existing(tx: Tx, rows: readonly SubjectRows[]): Promise<readonly SubjectRows[]> {
  const names = await tx<{ name: string }[]>`
    select given.name
    from jsonb_array_elements_text(${JSON.stringify(rows.map(({ table }) => table))}::text::jsonb) as given (name)
    where to_regclass(given.name) is not null`
  const there = new Set(names.map(({ name }) => name))
  return rows.filter(({ table }) => there.has(table))
}

/** The condition for rows of a person; `$1` is the workspace and `$2` the person. */
function isOf({ column, where }: SubjectRows): string {
  return `item.workspace_id = $1::uuid and item.${column} = $2::text${where === undefined ? '' : ` and (${where})`}`
}

function belongs({ column, where }: SubjectParts, row: string): string {
  return `part.workspace_id = $1::uuid and part.${column} in (${row})${where === undefined ? '' : ` and (${where})`}`
}

/** The statements that an entry makes, to be asked about without being carried out. */
export function probesOf(entry: SubjectRows): readonly string[] {
  return [countStatement(entry), eraseStatement(entry)]
}

async function countRows(tx: Tx, entry: SubjectRows, workspaceId: string, subject: string): Promise<RowCounts> {
  const [row] = await tx.unsafe(countStatement(entry), [workspaceId, subject])
  return countsIn(entry, row)
}

function countStatement(entry: SubjectRows): string {
  const { table, parts = [] } = entry
  const ofParts = parts.map(
    (part, n) =>
      `, (select count(*) from ${part.table} as part where ${belongs(part, `select item.${keyOf(part)} from ${table} as item where ${isOf(entry)}`)}) as part${n}`,
  )
  return `select (select count(*) from ${table} as item where ${isOf(entry)}) as rows${ofParts.join('')}`
}

const keyOf = ({ key = 'id' }: SubjectParts) => key

function countsIn({ table, parts = [] }: SubjectRows, row: Readonly<Record<string, unknown>> | undefined): RowCounts {
  let counts = addCounts({}, { [table]: Number(row?.rows ?? 0) })
  for (const [n, part] of parts.entries()) counts = addCounts(counts, { [part.table]: Number(row?.[`part${n}`] ?? 0) })
  return counts
}

/** Removes or blanks some rows of a person, and the parts of these. Returns how many. */
async function eraseBatch(tx: Tx, entry: SubjectRows, workspaceId: string, subject: string): Promise<RowCounts> {
  if (entry.instead === 'own') return {}
  const [row] = await tx.unsafe(eraseStatement(entry), [workspaceId, subject])
  return countsIn(entry, row)
}

function eraseStatement(entry: SubjectRows): string {
  const { table, parts = [], instead } = entry
  const keys = parts.map((part, n) => `, item.${keyOf(part)} as key${n}`)
  const change =
    typeof instead === 'object'
      ? `update ${table} as item set ${instead.blank.replaceAll(':subject', '$2')}`
      : `delete from ${table} as item`
  return `
    with next as materialized (
      select item.ctid as place${keys.join('')}
      from ${table} as item
      where ${isOf(entry)}
      limit ${BATCH}
      for update
    )
    ${parts
      .map(
        (part, n) => `, part${n} as (
        delete from ${part.table} as part where ${belongs(part, `select next.key${n} from next`)} returning 1
      )`,
      )
      .join('')}
    , changed as (
      ${change} where item.workspace_id = $1::uuid and item.ctid = any (array(select next.place from next)) returning 1
    )
    select (select count(*) from changed) as rows${parts.map((_, n) => `, (select count(*) from part${n}) as part${n}`).join('')}`
}

/** The queue's jobs of a workspace that name a person in their payload. */
function naming(tx: Tx, workspaceId: string, subject: string) {
  return tx`(
    job.flags ? ${payloadFlag('workspace_id', workspaceId)}
    and job.flags ? ${payloadFlag('user_id', subject)}
  )`
}

/** Removes jobs that name a person and do not run: what they work on is gone. */
async function dropJobs(tx: Tx, workspaceId: string, subject: string): Promise<void> {
  const own = naming(tx, workspaceId, subject)
  await deleteJobs(tx, tx`select job.id from graphile_worker.jobs as job where ${own} and job.locked_at is null`)
}

/** Deliveries that are given up, or have had no process for a week, are not waited for: see `events/known-subscribers.ts`. */
async function hasJobs(tx: Tx, workspaceId: string, subject: string, until: Date): Promise<boolean> {
  const eventId = flagAfter(tx, 'job', 'event_id:')
  const rows = await tx`
    select
    from graphile_worker.jobs as job
    where ${naming(tx, workspaceId, subject)}
      or (
        job.flags ? ${payloadFlag('workspace_id', workspaceId)}
        and job.attempts < job.max_attempts
        and exists (
          select
          from core.event
          where event.workspace_id = ${workspaceId}
            and event.id = case when ${eventId} ~ '^[0-9a-f-]{36}$' then ${eventId}::uuid end
            and event.user_id = ${subject}
            and event.created_at <= ${until}
        )
      )
    limit 1`
  return rows.length > 0
}
