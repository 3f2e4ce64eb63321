import { existsSync, readFileSync, statfsSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The files of Postgres lie here inside the database folder. */
export function clusterFolder(folder: string): string {
  return join(folder, 'pgdata')
}

/** They lie here until they are complete. */
export function unfinishedClusterFolder(folder: string): string {
  return join(folder, 'pgdata.unfinished')
}

export function clusterExists(folder: string): boolean {
  return existsSync(clusterFolder(folder))
}

/** One segment of the write-ahead log is 16 MB and has to find its place whole; recovery writes some pages besides. */
const roomBytesMin = 20 * 1024 * 1024

/**
 * Tells whether the disk of a folder has too little room for Postgres to start on it. False where the disk does not
 * tell.
 */
export function lacksRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < roomBytesMin
  } catch {
    return false
  }
}

/** The folder is open already, in this process or another one. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError'
}

export interface FolderLock {
  release(): void
}

/**
 * Takes the folder for this process, or throws FolderInUseError at once. `folder` must exist.
 *
 * PGlite has no lock of its own, and two of them on one folder destroy it. The lock is the exclusive lock of an
 * otherwise empty SQLite database in the folder. SQLite is the one thing that Bun and Deno both carry which takes a
 * lock of the operating system (`fcntl`, `LockFileEx`) on Linux, macOS and Windows. The kernel gives it back when the
 * process ends, however it ends; it is bound to the file and not to its path, so a symbolic link or another mount
 * point leads to the same lock, also from another container on the same machine; and there is no moment at which two
 * can hold it. A network file system keeps it only as well as it keeps such locks in general.
 *
 * The file must not be opened by other means while it is locked: closing any descriptor of it in this process would
 * drop the lock on POSIX systems. It stays in place after release, because deleting it would open a race.
 */
export function lockFolder(folder: string): FolderLock {
  const database = new DatabaseSync(join(folder, 'lock.sqlite'))
  try {
    // A rollback journal in memory: the lock must be the only trace on disk.
    database.exec('pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive')
  } catch (cause) {
    database.close()
    if (cause instanceof Error && /locked|busy/i.test(cause.message)) {
      throw new FolderInUseError(
        `The database folder ${folder} is in use${holderOf(folder)}. Stop that one, or set another DATA_DIR.`,
        { cause },
      )
    }
    throw cause
  }
  held.add(database)
  writeFileSync(join(folder, holderFile), `${process.pid} on ${hostname()}\n`)
  return {
    release: () => {
      held.delete(database)
      database.close()
    },
  }
}

/** A lock whose holder has dropped its handle must not be closed, and so released, by the garbage collector. */
const held = new Set<DatabaseSync>()

/** Only for the error message; the lock itself never reads it. */
const holderFile = 'lock.holder'

function holderOf(folder: string): string {
  try {
    return ` by process ${readFileSync(join(folder, holderFile), 'utf8').trim()}`
  } catch {
    return ''
  }
}
