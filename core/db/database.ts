import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { fail } from '../errors.ts'
import { blame, runningPlugin } from '../faults/attribution.ts'
import { endsInTime } from '../in-time.ts'
import { APP_ROLE } from './app-role.ts'
import { openConnections } from './connections.ts'
import { SNAPSHOT_IDLE_LIMIT } from './session-settings.ts'
import { isContended, isDiskFull, isLoginRefused, isUnavailable } from './unavailable.ts'

export { APP_ROLE, isContended, isLoginRefused, isUnavailable }

/** A transaction: a postgres.js tagged template plus helpers (`tx.json`, `tx.array`, `tx.unsafe`). */
export type Tx = postgres.TransactionSql

/** A part of a statement, made with a transaction's tag and not awaited: it is sent with the statement it is put into. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

export interface TransactionOptions {
  /**
   * The work does something outside of the transaction that must not be done twice, such as reading a stream to its end. It then
   * fails when it loses to a deadlock or a serialisation failure. Any other work is run again from its start, a few times at the most.
   */
  readonly once?: boolean
  /** A client waits for it, so it goes before other transactions of its workspace that wait for their turn. */
  readonly urgent?: boolean
  /**
   * The account or address whose request asks for a transaction of the system. A holder has one at a time, and its statements end within
   * ten seconds, so that a lock that many of them wait for never keeps all connections.
   */
  readonly holder?: string
  /**
   * The longest that a statement of it may take, in milliseconds: SERVICE_UNAVAILABLE beyond. On the embedded database only statements end
   * by it that look at the clock themselves.
   */
  readonly statementMs?: number
  /** It reads, and sees the database at one instant however long it takes. Only for a moment on a database that is not concurrent. */
  readonly snapshot?: boolean
  /** Its work may pause for an hour between two statements, else for two minutes. Only for what holds no locks. */
  readonly idlesLong?: boolean
  /** The caller behind it, whom its events name: the id of a key, or of an account behind `session:`. */
  readonly actor?: string
  /** It takes back what the same request has stored, so it runs also for a caller whose key was revoked meanwhile. */
  readonly undoes?: boolean
}

/** Transactions that Postgres ended so that others could go on. */
export interface Losses {
  /** They were run again. */
  rerun: number
  /** They failed: for the last time, or because their work may run only once. */
  failed: number
}

export interface Database {
  /**
   * Tells whether transactions run beside one another. On the embedded database an open one holds up all others, so each must be
   * short there. The database is asked once.
   */
  isConcurrent(): Promise<boolean>
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
   * @param memoryMb its `maintenance_work_mem` in MiB, where that of the server is less
   */
  maintain(statement: string, memoryMb?: number): Promise<void>
}

/** A database as whoever opened it has it; others are lent the rest. */
export interface OpenDatabase extends Database {
  /** Since the start of the process. */
  readonly losses: Readonly<Losses>
  /** Resolves when the database answers, rejects within `timeoutMs`. */
  ping(timeoutMs: number): Promise<void>
  /** Postgres had no room on its disk for something in the last half minute. */
  lacksRoom(): boolean
  /** Gives up all connections, with what is under way on them, and goes on with new ones. */
  renew(): Promise<void>
  close(): Promise<void>
}

/** Connections of requests that have never been the owner's. */
export interface RequestLogin {
  readonly url: string
  /**
   * A connection from there is {@link APP_ROLE} already and can become no other role, not even itself with `set role`.
   */
  readonly fixed: boolean
}

export interface DatabaseOptions {
  url: string
  /**
   * Transactions of a workspace use these connections. Left out, they use the owner's and give its rights up by `set
   * local role`.
   */
  request?: RequestLogin
  /** Connections kept at the most. */
  poolSize: number
}

/** A violated constraint's name, when the error is that, for callers to map to error codes. A node of Citus adds a shard's number, in its message alone. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof postgres.PostgresError)) return undefined
  const name = error.constraint_name ?? /constraint "([^"]+)"$/.exec(error.message)?.[1]
  return error.code?.startsWith('23') ? name?.replace(/_\d{6,}$/, '') : undefined
}

export function openDatabase({ url, request, poolSize }: DatabaseOptions): OpenDatabase {
  const ownerConnections = request ? Math.max(1, Math.floor(poolSize / 4)) : poolSize
  const open = () => {
    const owner = openConnections(url, ownerConnections)
    return { owner, request: request ? openConnections(request.url, Math.max(1, poolSize - ownerConnections)) : owner }
  }
  let connections = open()
  const pools = () => [...new Set([connections.owner, connections.request])]
  let pinging: Promise<void> | undefined
  const losses: Losses = { rerun: 0, failed: 0 }
  const past: Past = { losses, wasReached: false, noRoomAt: Number.NEGATIVE_INFINITY }
  const bind = request?.fixed ? bindFixed : bindToWorkspace
  let concurrency: Promise<boolean> | undefined
  return {
    isConcurrent() {
      concurrency ??= asksWhetherConcurrent(connections.owner).catch(error => {
        concurrency = undefined
        throw error
      })
      return concurrency
    },
    losses,
    system: (work, options) =>
      run(
        () =>
          connections.owner.begin(tx => afterSettings(limitStatements(tx, options), () => asOnlyOne(() => work(tx)))),
        past,
        options,
      ),
    workspace: (workspaceId, work, options) =>
      run(
        () =>
          connections.request.begin(options?.snapshot ? SNAPSHOT : '', tx => {
            workspaces.set(tx, workspaceId)
            // A job's snapshot stays open beside others, on a database that is concurrent.
            const working = () => (options?.snapshot ? work(tx) : asOnlyOne(() => work(tx)))
            return afterSettings(bind(tx, workspaceId, options), working)
          }),
        past,
        options,
      ),
    maintain: (statement, memory = 0) =>
      run(() => maintain(connections.owner, statement, memory), past, { once: true }),
    async ping(timeoutMs) {
      // Whoever asks while one is under way waits for that, so that no line of pings forms during an outage.
      pinging ??= Promise.all(pools().map(pool => pool`select 1`))
        .then(() => undefined)
        .finally(() => {
          pinging = undefined
        })
      if (!(await endsInTime(pinging, timeoutMs))) throw fail('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2 })
    },
    lacksRoom: () => performance.now() - past.noRoomAt < NO_ROOM_MS,
    async renew() {
      const stuck = pools()
      connections = open()
      await Promise.all(stuck.map(pool => pool.end({ timeout: 0 })))
    },
    async close() {
      await Promise.all(pools().map(pool => pool.end({ timeout: 3 })))
    },
  }
}

/** The embedded database is a single session whose clients take turns, also where it is reached by its address. */
async function asksWhetherConcurrent<T extends Record<string, unknown>>(sql: postgres.Sql<T>): Promise<boolean> {
  const [row] = await sql<{ version: string }[]>`select version() as version`
  return !row?.version.includes('PGlite')
}

/** Settings that were sent go before anything `work` sends: unawaited, in the packet of the first statement, which fails with them. */
async function afterSettings<T>(set: Promise<unknown>, work: () => Promise<T>): Promise<T> {
  set.catch(() => undefined)
  const result = await work()
  await set
  return result
}

/** The transaction whose work this code is, where tests watch for that. */
const underWay = new AsyncLocalStorage<{ isOpen: boolean }>()
let refusesNested = false

/**
 * For tests: has every transaction fail that begins within the work of another. On the embedded database it would wait for the end of the
 * other, which waits for it.
 */
export function refuseNestedTransactions(): void {
  refusesNested = true
}

/** For tests: runs work as if no transaction had begun, as a request has it that a test sends from within one. */
export function outsideTransaction<T>(work: () => T): T {
  return underWay.run({ isOpen: false }, work)
}

async function asOnlyOne<T>(work: () => Promise<T>): Promise<T> {
  if (!refusesNested) return work()
  const transaction = { isOpen: true }
  try {
    return await underWay.run(transaction, work)
  } finally {
    transaction.isOpen = false
  }
}

const SNAPSHOT = 'isolation level repeatable read read only'

async function maintain(sql: postgres.Sql, statement: string, memoryMb: number): Promise<void> {
  const connection = await sql.reserve()
  try {
    const [own] = await connection`select pg_size_bytes(current_setting('maintenance_work_mem')) / 1024 as kb`
    await connection.unsafe(`set maintenance_work_mem = '${Math.max(Number(own?.kb), 1024 * memoryMb)}kB'`)
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

/** Postgres ended the transaction so that others could go on: a serialisation failure, and a deadlock. */
const LOST = new Set(['40001', '40P01'])

/** The cause counts too, where the work gave the failure a message of its own. */
function isLost(error: unknown): boolean {
  for (let link = error, depth = 0; link instanceof Error && depth < 5; link = link.cause, depth++) {
    if (link instanceof postgres.PostgresError && LOST.has(link.code)) return true
  }
  return false
}

/** A statement was cancelled, by its limit or by an administrator. */
const TOOK_TOO_LONG = '57014'

/** Tells whether work failed because a statement of it took longer than it may. */
export function isTooLong(error: unknown): boolean {
  return error instanceof Error && Reflect.get(Object(error.cause), 'code') === TOOK_TOO_LONG
}

function tooLong(cause: Error) {
  return fail('SERVICE_UNAVAILABLE', { message: 'The request takes too long.', cause, retryAfterSeconds: 10 })
}

/** Runs of one transaction at the most. */
const RUNS_MAX = 5

/**
 * The wait before the second run is at random up to this, and twice as long before each later one, so that two that
 * lost to each other do not meet again at once.
 */
const PAUSE_MAX_MS = 50

interface Past {
  readonly losses: Losses
  /** A transaction succeeded, so a login that is refused is no fault of the settings. */
  wasReached: boolean
  /** When Postgres last had no room on its disk. */
  noRoomAt: number
}

const NO_ROOM_MS = 30_000

/** Turns "the database is away" into the contract's 503 and repeats what lost to others; everything else passes. */
async function run<T>(
  transaction: () => Promise<unknown>,
  past: Past,
  { once = false }: TransactionOptions = {},
): Promise<T> {
  if (underWay.getStore()?.isOpen) throw new Error('a transaction began within the work of another')
  const plugin = runningPlugin()
  for (let runs = 1; ; runs++) {
    try {
      const result = (await transaction()) as T
      past.wasReached = true
      return result
    } catch (error) {
      blame(error, plugin)
      if (isDiskFull(error)) past.noRoomAt = performance.now()
      if (isUnavailable(error) && (past.wasReached || !isLoginRefused(error))) {
        throw fail('SERVICE_UNAVAILABLE', { cause: error, retryAfterSeconds: 2 })
      }
      if (error instanceof postgres.PostgresError && error.code === TOOK_TOO_LONG) throw tooLong(error)
      if (!isLost(error)) throw error
      const again = !once && runs < RUNS_MAX
      past.losses[again ? 'rerun' : 'failed']++
      if (!again) throw error
    }
    await pause(Math.random() * PAUSE_MAX_MS * 2 ** (runs - 1))
  }
}

/** Commands take no parameters, so nothing but a UUID may stand in one. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Both settings end with the transaction, so a pooled connection never carries one tenant's binding to another. They are
 * commands and no calls of `set_config`, because a distributed Postgres passes only commands on to its nodes.
 */
function bindToWorkspace(tx: postgres.TransactionSql, workspaceId: string, limits: BoundLimits = {}) {
  return send(tx, `set local role ${APP_ROLE}; ${workspaceSetting(workspaceId)}${limitSettings(limits)}`)
}

/** On a connection that is the request role's for good. */
function bindFixed(tx: postgres.TransactionSql, workspaceId: string, limits: BoundLimits = {}) {
  return send(tx, `${workspaceSetting(workspaceId)}${limitSettings(limits)}`)
}

/** Limits the statements of a transaction that is bound to no workspace. */
async function limitStatements(tx: postgres.TransactionSql, { statementMs, actor }: BoundLimits = {}) {
  const limit = statementMs === undefined ? '' : `set local ${statementLimit(statementMs)};`
  const settings = `${limit}${actorSetting(actor)}`
  if (settings !== '') await send(tx, settings)
}

/** Sends it now, ahead of what is sent next, whether its end is awaited or not. */
function send(tx: postgres.TransactionSql, settings: string): Promise<unknown> {
  return tx.unsafe(settings).execute()
}

/** Limits of one transaction; left out, those of its session hold. */
interface BoundLimits {
  readonly statementMs?: number | undefined
  /** Its work may pause for {@link SNAPSHOT_IDLE_LIMIT} between two statements. */
  readonly idlesLong?: boolean
  readonly actor?: string | undefined
}

function limitSettings({ statementMs, idlesLong = false, actor }: BoundLimits): string {
  const limit = statementMs === undefined ? '' : `; set local ${statementLimit(statementMs)}`
  const statement = `${limit}; ${actorSetting(actor)}`
  return idlesLong
    ? `${statement}; set local idle_in_transaction_session_timeout = '${SNAPSHOT_IDLE_LIMIT}'`
    : statement
}

function statementLimit(statementMs: number): string {
  return `statement_timeout = ${Math.ceil(statementMs)}`
}

const ACTOR = /^(?:session:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A caller without an account or key, such as a stranger, is named by nothing. */
function actorSetting(actor = ''): string {
  return ACTOR.test(actor) ? `set local mneme.actor = '${actor}'` : ''
}

function workspaceSetting(workspaceId: string): string {
  if (!UUID.test(workspaceId)) throw new TypeError('a transaction is bound to a workspace by its UUID')
  return `set local mneme.workspace_id = '${workspaceId}'`
}
