import postgres from 'postgres'
import { blame, runningPlugin } from '../attribution.ts'
import { fail } from '../errors.ts'

/** The role of every request: owns nothing and is bound by row-level security. Roles are per cluster, hence the product's name. */
export const APP_ROLE = 'mneme_app'

/** A transaction: a postgres.js tagged template plus helpers (`tx.json`, `tx.array`, `tx.unsafe`). */
export type Tx = postgres.TransactionSql

/** A part of a statement, made with a transaction's tag and not awaited: it is sent with the statement it is put into. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

export interface TransactionOptions {
  /**
   * The work may run again from its start: all that it does outside of the transaction can be repeated. A transaction that loses to
   * a deadlock or a serialisation failure is then run again, {@link RUNS_MAX} times in all.
   */
  readonly repeatable?: boolean
}

export interface Database {
  /**
   * A transaction as the owner of the schema, which sees every workspace: boot, control plane (accounts, workspaces, keys)
   * and sweeps of the workers. Never for a request's own data.
   */
  system<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** A transaction under {@link APP_ROLE}, bound by row-level security to one workspace. */
  workspace<T>(workspaceId: string, work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * One statement as the owner and outside of any transaction, for what Postgres allows nowhere else: `create index
   * concurrently`. It may take minutes and much memory, so never on the embedded database, where everyone would wait for it.
   */
  maintain(statement: string): Promise<void>
}

/** A database as whoever opened it has it; others are lent the rest. */
export interface OpenDatabase extends Database {
  /** Resolves when the database answers, rejects within `timeoutMs`. */
  ping(timeoutMs: number): Promise<void>
  close(): Promise<void>
}

export interface DatabaseOptions {
  url: string
  /** Connections kept at the most. */
  poolSize: number
}

/** Connection failures, as postgres.js and Postgres name them; all mean "try again shortly". */
const UNAVAILABLE = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '25006', // read-only: a standby after a failover
  '3D000', // the database is gone for the moment, e.g. while it is restored
  '53100', // disk full
  '53200', // out of memory
  '55000', // not accepting connections
  '58030', // I/O error
  '53300', // too many connections
  '57P01', // terminated by an administrator
  '57P02', // crash of another backend
  '57P03', // cannot connect now: starting up
  '25P03', // idle-in-transaction limit
  '08001',
  '08004',
  '08006',
  '08003',
])

/** Whether an error, or one of its causes, says that the database is away. */
export function isUnavailable(error: unknown): boolean {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++) {
    const code = Reflect.get(current, 'code')
    if (typeof code === 'string' && UNAVAILABLE.has(code)) return true
  }
  return false
}

/** A violated constraint's name, when the error is that. Lets callers map constraints to error codes. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof postgres.PostgresError)) return undefined
  return error.code?.startsWith('23') ? error.constraint_name : undefined
}

export function openDatabase({ url, poolSize }: DatabaseOptions): OpenDatabase {
  const sql = postgres(url, {
    max: poolSize,
    connect_timeout: 5,
    // The driver's own back-off reaches seconds, which a database that is back again need not wait for.
    backoff: () => 0.25,
    idle_timeout: 60,
    max_lifetime: 60 * 30,
    // Types come from OIDs we know; asking the catalogue for array types would cost a round trip per connection.
    fetch_types: false,
    onnotice: () => undefined,
    connection: { application_name: 'mneme' },
    types: { bigint: int8AsNumber },
  })

  return {
    system: (work, options) => run(() => sql.begin(work), options),
    workspace: (workspaceId, work, options) =>
      run(
        () =>
          sql.begin(async tx => {
            // Executed now, so that it goes before anything `work` sends, but not awaited: it travels in the same packet as
            // the first statement, which fails with it if it fails.
            const bound = bindToWorkspace(tx, workspaceId).execute()
            workspaces.set(tx, workspaceId)
            bound.catch(() => undefined)
            const result = await work(tx)
            await bound
            return result
          }),
        options,
      ),
    maintain: statement => run(() => maintain(sql, statement)),
    async ping(timeoutMs) {
      await withTimeout(
        sql`select 1`.then(() => undefined),
        timeoutMs,
      )
    },
    close: () => sql.end({ timeout: 3 }),
  }
}

/** An index that fits into memory while it is made is made many times faster. */
const MAINTENANCE_MEMORY = '512MB'

async function maintain<T extends Record<string, unknown>>(sql: postgres.Sql<T>, statement: string): Promise<void> {
  const connection = await sql.reserve()
  try {
    await connection.unsafe(`set maintenance_work_mem = '${MAINTENANCE_MEMORY}'`)
    await connection.unsafe(statement)
  } finally {
    // A connection that was lost has no settings either.
    await connection.unsafe('reset maintenance_work_mem').catch(() => undefined)
    connection.release()
  }
}

/** The workspaces that transactions under way are bound to. */
const workspaces = new WeakMap<Tx, string>()

/**
 * The workspace of a transaction of {@link Database.workspace}, for statements to name: row-level security is the second lock and
 * never the only filter. Throws in a transaction of the system, which has none.
 */
export function workspaceOf(tx: Tx): string {
  const workspaceId = workspaces.get(tx)
  if (workspaceId === undefined) throw new Error('this transaction is bound to no workspace: use database.workspace')
  return workspaceId
}

/** Commands take no parameters, so nothing but a UUID may stand in one. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Both settings end with the transaction, so a pooled connection never carries one tenant's binding to another. They are
 * commands and no calls of `set_config`, because a distributed Postgres passes only commands on to its nodes.
 */
function bindToWorkspace(tx: Tx, workspaceId: string) {
  if (!UUID.test(workspaceId)) throw new TypeError('a transaction is bound to a workspace by its UUID')
  return tx.unsafe(`set local role ${APP_ROLE}; set local mneme.workspace_id = '${workspaceId}'`)
}

/** Postgres ended the transaction so that others could go on: a serialisation failure, and a deadlock. */
const LOST = new Set(['40001', '40P01'])

/** Runs of a repeatable transaction at the most. */
const RUNS_MAX = 4

/** Those who lost to each other do not meet again at once: the wait before another run, at random up to this. */
const PAUSE_MAX_MS = 50

/** Turns "the database is away" into the contract's 503 and repeats what lost to others; everything else passes. */
async function run<T>(
  transaction: () => Promise<unknown>,
  { repeatable = false }: TransactionOptions = {},
): Promise<T> {
  const plugin = runningPlugin()
  for (let runs = 1; ; runs++) {
    try {
      return (await transaction()) as T
    } catch (error) {
      blame(error, plugin)
      if (isUnavailable(error)) throw fail('SERVICE_UNAVAILABLE', { cause: error, retryAfterSeconds: 2 })
      const lost = error instanceof postgres.PostgresError && LOST.has(error.code)
      if (!lost || !repeatable || runs === RUNS_MAX) throw error
    }
    await new Promise(resolve => setTimeout(resolve, Math.random() * PAUSE_MAX_MS))
  }
}

// Counts and sizes here stay far below 2^53, and JSON has no bigint.
const int8AsNumber = {
  to: 20,
  from: [20],
  serialize: (value: number) => String(value),
  parse: (text: string) => Number(text),
}

async function withTimeout(work: Promise<void>, timeoutMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(fail('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2 })), timeoutMs)
  })
  try {
    await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
