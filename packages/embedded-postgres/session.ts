import { changedBuffers, writeBuffers } from './buffers.ts'
import { Channels } from './channels.ts'
import type { Checkpointed } from './checkpoints.ts'
import type { OpenCluster } from './cluster.ts'
import type { Connection } from './connection.ts'
import { Identities } from './identity.ts'
import { type Omitted, sortReplies, textsOf } from './replies.ts'
import type { Request } from './requests.ts'
import { queryFrame, syncFrame, type TransactionStatus } from './wire.ts'

/** A Parse message over this many bytes is not kept for repeating. */
const unnamedMaxBytes = 1024 * 1024

/**
 * Runs requests in the one session of the backend that its clients share: it keeps their unnamed statements and
 * notifications apart, and holds their replies back until what they report is on the disk.
 */
export class Session implements Checkpointed {
  readonly cluster: OpenCluster
  readonly #channels = new Channels<Connection>()
  readonly #holding = new Set<Connection>()
  readonly #identities: Identities
  #unnamedOwner: Connection | undefined

  constructor(cluster: OpenCluster, requestRole: string) {
    this.cluster = cluster
    this.#identities = new Identities(cluster.backend, messages => this.#execute(messages), requestRole)
  }

  /** Runs a request and leaves its replies with the connections concerned. Throws when the backend crashes. */
  serve(connection: Connection, request: Request): void {
    if (request.reply !== undefined) {
      this.#hold(connection, request.reply)
      return
    }
    if (!this.#actFor(connection)) return
    const omitted: Omitted = { copyInResponse: request.copyIn }
    let messages = request.messages
    if (request.reusesUnnamed && this.#unnamedOwner !== connection && connection.unnamedParse !== undefined) {
      // Another client has since prepared its own unnamed statement, and a session has only one.
      messages = [connection.unnamedParse, ...messages]
      omitted.firstParseComplete = true
      this.#unnamedOwner = connection
    }
    connection.unsynced = true
    const output = this.cluster.backend.execute(messages)
    this.#noteUnnamed(connection, request)
    if (output === undefined) {
      connection.terminate('54000', 'the result is too large for the embedded database; read it in parts')
      return
    }
    this.#deliver(connection, request, output, omitted)
  }

  /** Sends the replies held back, once what they report is on the disk. */
  release(): void {
    this.cluster.files.settle()
    for (const connection of this.#holding) connection.flush()
    this.#holding.clear()
  }

  /** Undoes what a closed connection has left behind, its open transaction first. */
  cleanUp(connection: Connection): void {
    if (connection.unsynced) connection.status = this.#run(syncFrame) ?? connection.status
    if (connection.status !== 'I') this.#run(queryFrame('rollback'))
    const closes = connection.names.takeCloseFrames()
    if (closes.length > 0) this.#run(...closes, syncFrame)
    for (const channel of this.#channels.drop(connection)) this.#run(queryFrame(`unlisten ${quoted(channel)}`))
    if (this.#unnamedOwner === connection) this.#unnamedOwner = undefined
    this.#holding.delete(connection)
  }

  /** A transaction under way keeps the identity it began with. */
  #actFor(connection: Connection): boolean {
    if (connection.status !== 'I' || connection.unsynced) return true
    if (this.#identities.become(connection.identity)) return true
    connection.terminate('28000', 'the role of requests does not exist: the database has not been made ready')
    return false
  }

  get walBytes(): number {
    return this.cluster.files.walBytes
  }

  changedBuffers(): number[] {
    this.#identities.become('owner')
    return this.#ask(changedBuffers).map(Number)
  }

  writeBuffers(buffers: readonly number[]): void {
    this.#identities.become('owner')
    this.#ask(writeBuffers(buffers))
  }

  syncFiles(): Promise<void> {
    return this.cluster.files.syncWritten()
  }

  checkpoint(): void {
    this.#identities.become('owner')
    this.#ask('checkpoint')
    this.cluster.files.walBytes = 0
  }

  #deliver(connection: Connection, request: Request, output: Uint8Array, omitted: Omitted): void {
    const replies = sortReplies(output, omitted)
    for (const part of replies.own) this.#hold(connection, part)
    connection.changes.add(request.changes)
    connection.changes.note(replies.commands, replies.failed)
    if (replies.status !== undefined) {
      connection.unsynced = false
      connection.status = replies.status
      if (replies.status === 'I') this.#applyChanges(connection, replies.commands.includes('ROLLBACK'))
    }
    this.#notify(replies.notifications)
  }

  #applyChanges(connection: Connection, rolledBack: boolean): void {
    for (const change of connection.changes.end(rolledBack)) {
      const stillWanted = this.#channels.apply(connection, change)
      // An UNLISTEN ends it for the whole backend, and other clients still listen.
      for (const channel of stillWanted) this.#run(queryFrame(`listen ${quoted(channel)}`))
    }
  }

  #notify(notifications: { channel: string; frame: Uint8Array }[]): void {
    for (const { channel, frame } of notifications) {
      for (const listener of this.#channels.listenersOf(channel)) this.#hold(listener, frame)
    }
  }

  #hold(connection: Connection, bytes: Uint8Array): void {
    connection.hold(bytes)
    this.#holding.add(connection)
  }

  /** Runs messages of the multiplexer's own, between requests. */
  #run(...messages: Uint8Array[]): TransactionStatus | undefined {
    return sortReplies(this.#execute(messages)).status
  }

  /** Runs a query of the multiplexer's own. Returns the first column of its rows. */
  #ask(query: string): string[] {
    return textsOf(this.#execute([queryFrame(query)]))
  }

  #execute(messages: Uint8Array[]): Uint8Array {
    this.#unnamedOwner = undefined
    const output = this.cluster.backend.execute(messages) ?? new Uint8Array(0)
    this.#notify(sortReplies(output).notifications)
    return output
  }

  #noteUnnamed(connection: Connection, request: Request): void {
    if (request.simple) {
      this.#unnamedOwner = undefined
      connection.unnamedParse = undefined
    }
    if (request.unnamedParse === undefined) return
    this.#unnamedOwner = connection
    connection.unnamedParse = request.unnamedParse.length <= unnamedMaxBytes ? request.unnamedParse : undefined
  }
}

function quoted(channel: string): string {
  return `"${channel.replaceAll('"', '""')}"`
}
