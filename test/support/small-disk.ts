import { spawnSync } from 'node:child_process'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onEnd } from './closing.ts'
import { temporaryFolder } from './database.ts'

/** The disk lies in memory. */
export interface SmallDisk {
  readonly folder: string
  /** Takes all room but `leftBytes`. */
  fill(leftBytes: number): Promise<void>
  /** Gives back the room that `fill` took. */
  empty(): Promise<void>
}

/** Mounts a disk of `sizeMb`, or returns undefined where this user may not mount anything. */
export async function smallDisk(sizeMb: number): Promise<SmallDisk | undefined> {
  const folder = await temporaryFolder()
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'tmpfs', folder])
  if (status !== 0) return undefined
  onEnd(async () => void spawnSync('umount', ['-l', folder]))
  const ballast = join(folder, 'ballast')
  return {
    folder,
    async fill(leftBytes) {
      const { bavail, bsize } = await statfs(folder)
      await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - leftBytes)))
    },
    empty: () => rm(ballast),
  }
}
