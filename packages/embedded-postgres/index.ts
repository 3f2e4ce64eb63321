import { randomBytes } from 'node:crypto'
import { mkdirSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { databaseName, queueName, roleName } from './connection.ts'
import { clusterExists, type FolderLock, lockFolder } from './folder.ts'
import { endsInTime } from './outcome.ts'
import { DatabaseThread } from './thread.ts'

export { clusterExists, FolderInUseError, lacksRoom } from './folder.ts'
export { freezeOldTables, vacuumChangedTables } from './vacuum.ts'

export interface EmbeddedPostgres {
  /**
   * Any Postgres client connects here, with the password of this start in it: not to be logged. The role is a
   * superuser.
   */
  readonly url: string
  /**
   * Requests connect here, with a password of its own: a client of it is bound by row-level security, and nothing that
   * it runs gives it other rights. It is refused until migrations have made the role.
   */
  readonly requestUrl: string
  /**
   * For what may be lost with the power, and is done again then: the owner's commits from here reach the disk with the next one of
   * anybody else.
   */
  readonly queueUrl: string
  /** Time from the call to ready for queries, in milliseconds. */
  readonly startMs: number
  /** Has the database's thread collect its garbage, which the collector of the calling thread does not. */
  collectGarbage(): void
  /** Lets the transaction under way end (2 s at most), shuts Postgres down and gives the folder back, within 5 s. */
  stop(): Promise<void>
  /**
   * Called after each crash of the backend that the database recovers from by itself: clients were disconnected, and
   * transactions that had not been acknowledged are undone.
   */
  onCrash(listener: (error: Error) => void): void
  /** Called once when the database is gone for good without `stop`; the process should then end. */
  onFatal(listener: (error: Error) => void): void
}

export interface EmbeddedOptions {
  /** Folder of its own for the database; made when absent, its parents too. */
  folder: string
  /** The role that `requestUrl` logs in as. */
  requestRole?: string
  /**
   * A client that is silent inside a transaction for this long, in milliseconds, is disconnected with SQLSTATE 25P03:
   * there is one backend, and everyone waits for that transaction. 5000 by default.
   */
  idleInTransactionMs?: number
  /** A module whose `collectGarbage` the thread calls when it is told to; without it, nothing happens then. */
  collector?: URL | undefined
}

const idleInTransactionDefaultMs = 5000
const stopLimitMs = 4800

/**
 * Opens (creating it when absent) the database in `folder`, in a worker thread of its own. Throws FolderInUseError
 * when another process, or this one, holds it.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const startedAt = performance.now()
  mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  const folder = realpathSync(options.folder)
  const lock = lockFolder(folder)
  try {
    const module = await compiledModule()
    if (!clusterExists(folder)) await create(folder, module)
    const password = () => randomBytes(24).toString('hex')
    const passwords = { owner: password(), request: password(), queue: password() }
    const idleInTransactionMs = options.idleInTransactionMs ?? idleInTransactionDefaultMs
    const collector = options.collector?.href
    const { requestRole = 'request' } = options
    const thread = new DatabaseThread({
      kind: 'serve',
      folder,
      module,
      passwords,
      requestRole,
      idleInTransactionMs,
      collector,
    })
    const port = await listeningPort(thread)
    // Connections stay within this process, whatever PGSSLMODE asks of others.
    const at = `127.0.0.1:${port}/${databaseName}?sslmode=disable`
    const urls = {
      url: `postgres://${roleName}:${passwords.owner}@${at}`,
      requestUrl: `postgres://${requestRole}:${passwords.request}@${at}`,
      queueUrl: `postgres://${queueName}:${passwords.queue}@${at}`,
    }
    return new RunningDatabase(thread, lock, urls, performance.now() - startedAt)
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * The database is made in a thread of its own, whose end frees the memory of the two extra Postgres instances that it
 * takes.
 */
async function create(folder: string, module: WebAssembly.Module): Promise<void> {
  const thread = new DatabaseThread({ kind: 'create', folder, module })
  try {
    await thread.wait('created')
  } finally {
    await thread.terminate()
  }
}

async function listeningPort(thread: DatabaseThread): Promise<number> {
  try {
    return (await thread.wait('listening')).port
  } catch (error) {
    await thread.terminate()
    throw error
  }
}

class RunningDatabase implements EmbeddedPostgres {
  readonly url: string
  readonly requestUrl: string
  readonly queueUrl: string
  readonly startMs: number
  readonly #thread: DatabaseThread
  readonly #lock: FolderLock
  readonly #crashListeners: ((error: Error) => void)[] = []
  readonly #fatalListeners: ((error: Error) => void)[] = []
  #failure: Error | undefined
  #stopped: Promise<void> | undefined

  constructor(
    thread: DatabaseThread,
    lock: FolderLock,
    urls: Pick<EmbeddedPostgres, 'url' | 'requestUrl' | 'queueUrl'>,
    startMs: number,
  ) {
    this.#thread = thread
    this.#lock = lock
    this.url = urls.url
    this.requestUrl = urls.requestUrl
    this.queueUrl = urls.queueUrl
    this.startMs = startMs
    thread.watch({
      onCrash: error => {
        for (const listener of this.#crashListeners) listener(error)
      },
      onFailure: error => {
        if (this.#failure !== undefined) return
        this.#failure = error
        for (const listener of this.#fatalListeners) listener(error)
      },
    })
  }

  onCrash(listener: (error: Error) => void): void {
    this.#crashListeners.push(listener)
  }

  onFatal(listener: (error: Error) => void): void {
    this.#fatalListeners.push(listener)
    if (this.#failure !== undefined) listener(this.#failure)
  }

  collectGarbage(): void {
    this.#thread.collectGarbage()
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  /** A thread that does not stop in time is ended by force: the data recovers at the next start, as after a crash. */
  async #stop(): Promise<void> {
    try {
      if (this.#failure === undefined) {
        this.#thread.requestStop()
        await endsInTime(
          this.#thread.wait('stopped').catch(() => undefined),
          stopLimitMs,
        )
      }
    } finally {
      await this.#thread.terminate()
      this.#lock.release()
    }
  }
}

let compiled: Promise<WebAssembly.Module> | undefined

/**
 * Compiles PGlite's WebAssembly once for all databases of this process. Threads that are given the module share its machine code, which is
 * optimized as it runs: a second database starts in half the time and answers sooner.
 */
export function compiledModule(): Promise<WebAssembly.Module> {
  compiled ??= compile().catch(error => {
    compiled = undefined
    throw error
  })
  return compiled
}

async function compile(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'))))
}
