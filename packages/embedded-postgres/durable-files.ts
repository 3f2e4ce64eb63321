import { closeSync, fdatasync, fdatasyncSync, fsyncSync } from 'node:fs'
import { promisify } from 'node:util'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** An open file as Emscripten's NODEFS keeps it; `nfd` is the descriptor on the host. */
export interface FileStream {
  nfd: number
  node: { name: string; parent: { name: string } }
  shared: { refcount: number }
}

/** The functions of Emscripten's NODEFS that are replaced. Emscripten publishes no types for them. */
export interface NodeFileOperations {
  stream_ops: {
    open(stream: FileStream): void
    close(stream: FileStream): void
    write(stream: FileStream, buffer: Uint8Array, offset: number, length: number, position: number): number
    setattr(stream: FileStream, attributes: unknown): void
    fsync?(stream: FileStream): number
  }
  node_ops: {
    rename(node: unknown, folder: unknown, name: string): void
    unlink(folder: unknown, name: string): void
    rmdir(folder: unknown, name: string): void
    setattr(node: unknown, attributes: unknown): void
  }
}

type Initialised = Awaited<ReturnType<NodeFS['init']>>

const ioError = 29 // EIO, as WASI numbers it.
const syncData = promisify(fdatasync)
const walSegment = /^[0-9A-F]{24}$/

/**
 * The file system of PGlite with a real fsync, which the stock one lacks: what Postgres has reported as committed
 * survives a loss of power.
 *
 * Postgres must run with `wal_sync_method=fsync`, because `fdatasync` never reaches the file system in PGlite's build.
 *
 * The sync of a WAL segment is put off until `settle`, so that the commits of several connections share one. This is
 * safe as long as nothing that depends on those commits happens before: `settle` must be called before any reply
 * leaves, and this class calls it itself before any other file is written, cut, renamed or deleted (the rule "log
 * before data" of write-ahead logging).
 */
export class DurableFiles extends NodeFS {
  /** Bytes written to the WAL since it was last set to 0, to tell when a checkpoint is due. */
  walBytes = 0
  #unsynced: number | undefined
  readonly #open = new Set<number>()
  readonly #segments = new Set<number>()
  /** Open files other than the WAL that were written since their last sync. */
  readonly #written = new Set<number>()

  override async init(pg: PGlite, options: Parameters<NodeFS['init']>[1]): Promise<Initialised> {
    const initialised = await super.init(pg, options)
    initialised.emscriptenOpts.preRun?.push(module => this.hook(module.FS.filesystems.NODEFS))
    return initialised
  }

  /** True while a commit waits for its sync. */
  get unsettled(): boolean {
    return this.#unsynced !== undefined
  }

  /** Brings put-off WAL to the disk. Throws when the disk refuses; the commits concerned are then not safe. */
  settle(): void {
    if (this.#unsynced === undefined) return
    const descriptor = this.#unsynced
    this.#unsynced = undefined
    // Segments are filled with zeros when made, so their size does not change and fdatasync is enough.
    fdatasyncSync(descriptor)
  }

  /**
   * Brings what was written to files other than the WAL to the disk, one after the other and beside whatever is written meanwhile. Postgres
   * does not learn of it and syncs them again, which is quick then. Rejects when the disk refuses: the system reports that once, so
   * Postgres would not hear of it and the database must be opened again.
   */
  async syncWritten(): Promise<void> {
    for (const descriptor of [...this.#written]) {
      if (!this.#written.delete(descriptor)) continue
      await syncData(descriptor).catch(error => {
        // It was closed meanwhile; Postgres opens it again for its own sync.
        if (error.code !== 'EBADF') throw error
      })
    }
  }

  /** Closes what a crashed backend has left open. The instance is of no use afterwards. */
  abandon(): void {
    for (const descriptor of this.#open) closeSync(descriptor)
    this.#open.clear()
    this.#written.clear()
    this.#unsynced = undefined
  }

  /** Replaces the functions of NODEFS; `init` has it done before Postgres opens any file. */
  hook(nodeFiles: NodeFileOperations): void {
    const { stream_ops: streams, node_ops: nodes } = nodeFiles
    const { open, close, write, setattr } = streams
    streams.open = stream => {
      open(stream)
      this.#open.add(stream.nfd)
      if (walSegment.test(stream.node.name) && stream.node.parent.name === 'pg_wal') this.#segments.add(stream.nfd)
    }
    streams.close = stream => {
      if (stream.nfd === this.#unsynced) this.settle()
      close(stream)
      if (stream.shared.refcount > 0) return
      this.#open.delete(stream.nfd)
      this.#segments.delete(stream.nfd)
      this.#written.delete(stream.nfd)
    }
    streams.write = (stream, buffer, offset, length, position) => {
      if (this.#segments.has(stream.nfd)) this.walBytes += length
      else {
        this.settle()
        this.#written.add(stream.nfd)
      }
      return write(stream, buffer, offset, length, position)
    }
    streams.fsync = stream => this.#sync(stream.nfd)
    streams.setattr = (stream, attributes) => {
      this.settle()
      setattr(stream, attributes)
    }
    this.#settleBefore(nodes)
  }

  #settleBefore(nodes: NodeFileOperations['node_ops']): void {
    const { rename, unlink, rmdir, setattr } = nodes
    nodes.rename = (...values) => {
      this.settle()
      rename(...values)
    }
    nodes.unlink = (...values) => {
      this.settle()
      unlink(...values)
    }
    nodes.rmdir = (...values) => {
      this.settle()
      rmdir(...values)
    }
    nodes.setattr = (...values) => {
      this.settle()
      setattr(...values)
    }
  }

  /** Returns an error number instead of throwing: Postgres then treats a failed sync as it must, with a panic. */
  #sync(descriptor: number): number {
    try {
      if (this.#segments.has(descriptor)) {
        if (this.#unsynced !== descriptor) this.settle()
        this.#unsynced = descriptor
      } else {
        this.settle()
        fsyncSync(descriptor)
        this.#written.delete(descriptor)
      }
      return 0
    } catch {
      return ioError
    }
  }
}
