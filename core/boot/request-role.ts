import type { PoolClient } from 'pg'
import { APP_ROLE, type Database, isLoginRefused, isUnavailable, type Tx } from '../db/database.ts'
import type { Storage } from '../db/storage.ts'
import { messageOf } from '../failure-reason.ts'
import { StartError } from './explain.ts'

/** No workspace has this id, and the check reads only the catalogue. */
const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000'

interface Owners {
  readonly owner: string
  readonly database: string
}

/**
 * Refuses a role of DATABASE_REQUEST_URL that has more rights than requests may have: one from which an attacker who
 * gets a statement into a request could reach the owner's rights.
 * @throws StartError that says what is wrong and what helps
 */
export async function checkRequestRole(database: Database): Promise<void> {
  const owner = await database.system(readOwner)
  const faults = await database.workspace(NO_WORKSPACE, tx => faultsOf(tx, owner)).catch(explain)
  if (faults.length > 0) throw new StartError(`the role in DATABASE_REQUEST_URL ${faults.join(', ')}. ${REMEDY}`)
}

const REMEDY = `It must own nothing and be a member of ${APP_ROLE} alone, as the README shows.`

/** The cluster's start tells two databases of one name apart that have one id too, on two servers. */
const IDENTITY = `(select oid from pg_database where datname = current_database()) || ' ' || pg_postmaster_start_time()`

async function readOwner(tx: Tx): Promise<Owners> {
  const [row] = await tx.unsafe<Owners[]>(`select current_user::text as owner, ${IDENTITY} as database`)
  if (!row) throw new Error('the database does not say who it is')
  return row
}

async function faultsOf(tx: Tx, { owner, database }: Owners): Promise<string[]> {
  const [row] = await tx.unsafe<
    Record<'elsewhere' | 'superuser' | 'bypass' | 'creates' | 'owns' | 'member', boolean>[]
  >(
    `select
      (${IDENTITY}) <> $2 as elsewhere,
      exists (select from pg_roles where rolsuper and pg_has_role(session_user, oid, 'member')) as superuser,
      exists (select from pg_roles where rolbypassrls and pg_has_role(session_user, oid, 'member')) as bypass,
      exists (select from pg_roles where rolcreaterole and pg_has_role(session_user, oid, 'member')) as creates,
      exists (
        select from pg_class
        join pg_namespace on pg_namespace.oid = relnamespace
        where nspname not like 'pg\\_%' and nspname <> 'information_schema' and pg_has_role(session_user, relowner, 'member')
      ) as owns,
      pg_has_role(session_user, $1, 'member') as member`,
    [owner, database],
  )
  // A superuser is a member of every role; one sentence is enough for it.
  if (row?.superuser) return ['is a superuser or may become one']
  return [
    ...(row?.elsewhere ? ['leads to another database than DATABASE_URL'] : []),
    ...(row?.bypass ? ['may bypass row-level security'] : []),
    ...(row?.creates ? ['may make roles'] : []),
    ...(row?.owns ? ['owns tables, or may become who owns them'] : []),
    ...(row?.member ? [`may become ${owner}, the role in DATABASE_URL`] : []),
  ]
}

function explain(error: unknown): never {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const message = messageOf(cause)
  if (isUnavailable(error) && !isLoginRefused(error)) {
    throw new StartError(`the database in DATABASE_REQUEST_URL cannot be reached: ${message}.`, { cause: error })
  }
  throw new StartError(`the role in DATABASE_REQUEST_URL cannot be used: ${message}. ${REMEDY}`, { cause: error })
}

/**
 * Refuses a pooler that lends a session to one client for a transaction and to another for the next: notifications of new jobs would get
 * lost there, and settings of one client reach others. Two clients that are connected at once have one session behind it, and never elsewhere.
 * @throws StartError
 */
export async function checkSessions({ pool, database }: Pick<Storage, 'pool' | 'database'>): Promise<void> {
  const one = await pool.connect()
  try {
    const other = await pool.connect()
    try {
      if ((await sessionOf(one)) !== (await sessionOf(other))) return
    } finally {
      other.release()
    }
  } finally {
    one.release()
  }
  // The embedded database is a single session by its nature, and its clients take turns.
  if (!(await database.isConcurrent())) return
  throw new StartError(
    'DATABASE_URL leads to a pooler of transactions, and Mneme needs sessions of its own. Give the address of the database itself, or have the pooler pool sessions (docs/operating.md).',
  )
}

async function sessionOf(client: PoolClient): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}
