import { statfsSync } from 'node:fs'

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
