import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Checkpointer } from './checkpoints.ts'
import type { OpenCluster } from './cluster.ts'
import { Connection, type ConnectionHost } from './connection.ts'
import { endsInTime } from './outcome.ts'
import { Session } from './session.ts'

export interface MultiplexerOptions {
  /** Maps the identity that a client logs in as to its password. */
  passwords: ConnectionHost['passwords']
  requestRole: string
  /** A client that keeps the backend in a transaction and is silent this long, in milliseconds, is sent away. */
  idleInTransactionMs: number
  /** Opens the database: once at the start, and again after a crash of the backend. */
  open(): Promise<OpenCluster>
  /** The disk has too little room for the database to be opened. */
  lacksRoom(): boolean
  /** The backend has crashed and is being opened again. */
  onCrash(error: Error): void
  /** The database could not be brought back after a crash. */
  onFatal(error: Error): void
}

/** Replies may wait so long for a sync that several commits share, and sockets for their turn, in milliseconds. */
const turnMs = 2
/** Quiet moments for a checkpoint are looked for so often. */
const quietCheckMs = 10_000
/** More crashes than this within the time below are taken as a fault that opening again does not mend. */
const crashesMax = 20
const crashWindowMs = 60_000
/** A full disk is looked at so often, until there is room to open the database again. */
const roomCheckMs = 500
/** A transaction under way may take so long to end when the multiplexer stops. */
const drainMs = 2000

/**
 * Puts many clients on the one backend of PGlite.
 *
 * The backend belongs to one connection at a time: from the first message of a request until the ReadyForQuery that
 * reports an idle session, so that a transaction has it to itself. Connections are served in the order they asked.
 */
export class Multiplexer {
  readonly #options: MultiplexerOptions
  readonly #server: Server
  readonly #connections = new Set<Connection>()
  readonly #waiting = new Set<Connection>()
  readonly #host: ConnectionHost
  readonly #quietCheck: ReturnType<typeof setInterval>
  #departed: Connection[] = []
  #session: Session
  #checkpointer: Checkpointer
  /** A transaction has ended since the last piece of a checkpoint. */
  #servedSince = false
  #owner: Connection | undefined
  #idleTimer: ReturnType<typeof setTimeout> | undefined
  #running = false
  #quiet = false
  #stopping = false
  #awaitsRoom = false
  #onDrained: (() => void) | undefined
  #lastId = 0
  #crashTimes: number[] = []

  /** Opens the database and listens on a free port of 127.0.0.1. */
  static async start(options: MultiplexerOptions): Promise<Multiplexer> {
    const multiplexer = new Multiplexer(options, await options.open())
    await new Promise<void>((resolve, reject) => {
      multiplexer.#server.once('error', reject)
      multiplexer.#server.listen(0, '127.0.0.1', resolve)
    })
    return multiplexer
  }

  private constructor(options: MultiplexerOptions, cluster: OpenCluster) {
    this.#options = options
    this.#session = new Session(cluster, options.requestRole)
    this.#checkpointer = this.#newCheckpointer()
    this.#host = {
      passwords: options.passwords,
      requestRole: options.requestRole,
      parameters: cluster.parameters,
      onRequest: connection => {
        if (connection !== this.#owner) this.#waiting.add(connection)
        this.#schedule()
      },
      onDrain: () => this.#schedule(),
      onClosed: connection => {
        this.#connections.delete(connection)
        this.#waiting.delete(connection)
        this.#departed.push(connection)
        this.#schedule()
      },
    }
    this.#server = createServer(socket => this.#connect(socket))
    this.#quietCheck = setInterval(() => this.#checkQuiet(), quietCheckMs)
  }

  get port(): number {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the multiplexer does not listen')
    return address.port
  }

  /** Lets the transaction under way end, sends all clients away and shuts the database down. */
  async stop(): Promise<void> {
    this.#stopping = true
    clearInterval(this.#quietCheck)
    this.#server.close()
    await this.#drained()
    for (const connection of [...this.#connections]) {
      connection.terminate('57P01', 'terminating connection because the database is shutting down')
    }
    await this.#drained()
    await this.#close()
  }

  /** The checkpoint of a shutdown would not hear of a sync that failed beside it. */
  async #close(): Promise<void> {
    const { cluster } = this.#session
    try {
      await this.#checkpointer.settled()
    } catch (error) {
      cluster.files.abandon()
      throw error
    }
    await cluster.close()
  }

  #connect(socket: Socket): void {
    if (this.#stopping || this.#awaitsRoom) socket.destroy()
    else this.#connections.add(new Connection(++this.#lastId, socket, this.#host))
  }

  #schedule(): void {
    if (this.#running) return
    this.#running = true
    const run = () => {
      this.#run().catch((error: unknown) => this.#options.onFatal(asError(error)))
    }
    // Between transactions it does not sync at once: requests that have reached other sockets by now can share a sync
    // with this one.
    if (this.#owner === undefined) setImmediate(run)
    else run()
  }

  /** Works until nothing is left to do, letting the sockets breathe every `turnMs`. */
  async #run(): Promise<void> {
    let turnStart = performance.now()
    for (let working = true; working; ) {
      try {
        working = this.#step()
        const turnOver = performance.now() - turnStart > turnMs
        if (!working || turnOver || !this.#session.cluster.files.unsettled) this.#session.release()
        if (working && turnOver) {
          await new Promise<void>(resolve => setImmediate(resolve))
          turnStart = performance.now()
        }
      } catch (error) {
        await this.#recover(error)
        working = true
      }
    }
    // There was no await since the last step, so no request can have come unnoticed.
    this.#running = false
    if (this.#owner === undefined) this.#onDrained?.()
  }

  /** Does one piece of work. Returns false when there is none. */
  #step(): boolean {
    const departed = this.#departed.shift()
    if (departed !== undefined) {
      this.#cleanUp(departed)
      return true
    }
    if (this.#checkpoint()) return true
    const connection = this.#owner ?? this.#nextWaiting()
    if (connection === undefined) return false
    const request = connection.stalled ? undefined : connection.takeRequest()
    if (request === undefined) {
      this.#watchIdle(connection)
      return false
    }
    this.#stopIdleTimer()
    this.#owner = connection
    this.#waiting.delete(connection)
    this.#session.serve(connection, request)
    if (!connection.unsynced && connection.status === 'I') this.#takeBack(connection)
    return true
  }

  #nextWaiting(): Connection | undefined {
    if (this.#stopping) return undefined
    for (const connection of this.#waiting) if (!connection.stalled) return connection
    return undefined
  }

  #takeBack(connection: Connection): void {
    this.#owner = undefined
    this.#servedSince = true
    if (connection.hasRequest) this.#waiting.add(connection)
  }

  #cleanUp(connection: Connection): void {
    if (this.#owner === connection) {
      this.#stopIdleTimer()
      this.#owner = undefined
    }
    this.#session.cleanUp(connection)
  }

  #watchIdle(connection: Connection): void {
    if (this.#idleTimer !== undefined) return
    this.#idleTimer = setTimeout(() => {
      this.#idleTimer = undefined
      if (this.#owner !== connection || (connection.hasRequest && !connection.stalled)) return
      connection.terminate('25P03', 'terminating connection due to idle-in-transaction timeout')
    }, this.#options.idleInTransactionMs)
  }

  #stopIdleTimer(): void {
    clearTimeout(this.#idleTimer)
    this.#idleTimer = undefined
  }

  #checkQuiet(): void {
    this.#quiet = this.#owner === undefined && this.#waiting.size === 0
    if (this.#quiet) this.#schedule()
  }

  /** Clients and pieces of a checkpoint take turns. */
  #checkpoint(): boolean {
    if (this.#owner !== undefined || (!this.#servedSince && this.#waiting.size > 0)) return false
    const quiet = this.#quiet
    this.#quiet = false
    this.#servedSince = false
    return this.#checkpointer.step(quiet, performance.now())
  }

  #newCheckpointer(): Checkpointer {
    return new Checkpointer(this.#session, performance.now(), () => this.#schedule())
  }

  /** Opens the database again after its backend has crashed, as the postmaster of a native Postgres does. */
  async #recover(cause: unknown): Promise<void> {
    this.#sendAway()
    this.#session.cluster.files.abandon()
    this.#options.onCrash(asError(cause))
    const now = performance.now()
    this.#crashTimes = [...this.#crashTimes.filter(at => now - at < crashWindowMs), now]
    if (this.#crashTimes.length > crashesMax) throw new Error('the embedded database keeps crashing', { cause })
    this.#session = new Session(await this.#reopen(), this.#options.requestRole)
    this.#checkpointer = this.#newCheckpointer()
  }

  #sendAway(): void {
    for (const connection of [...this.#connections]) {
      connection.discardHeld()
      connection.terminate('57P02', 'the database backend crashed and is starting again; retry the transaction')
    }
    this.#waiting.clear()
    this.#departed = []
    this.#owner = undefined
    this.#stopIdleTimer()
  }

  /** A full disk is the operator's to mend, and ending the process would not help: until then clients are turned away. */
  async #reopen(): Promise<OpenCluster> {
    for (;;) {
      try {
        return await this.#options.open()
      } catch (cause) {
        if (!this.#options.lacksRoom()) throw cause
        this.#awaitsRoom = true
        // Clients that came while the database was being opened would wait for as long as the disk is full.
        this.#sendAway()
        while (this.#options.lacksRoom()) {
          if (this.#stopping) throw new Error('the database was stopped while its disk was full', { cause })
          await pause(roomCheckMs)
        }
        this.#awaitsRoom = false
      }
    }
  }

  /** Resolves when no transaction is under way and nothing is left to do, or after `drainMs`. */
  async #drained(): Promise<void> {
    const drained = new Promise<void>(resolve => {
      this.#onDrained = resolve
    })
    this.#schedule()
    await endsInTime(drained, drainMs)
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
