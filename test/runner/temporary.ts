import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'

/** Removes a folder with all that is in it, also the disks that a killed test has left mounted there. */
export async function removeFolder(folder: string): Promise<void> {
  for (const mounted of mountsUnder(folder)) spawnSync('umount', ['-l', mounted])
  await rm(folder, { recursive: true, force: true })
}

function mountsUnder(folder: string): string[] {
  try {
    const lines = readFileSync('/proc/mounts', 'utf8').split('\n')
    return lines.flatMap(line => line.split(' ')[1] ?? []).filter(mounted => mounted.startsWith(`${folder}/`))
  } catch {
    return []
  }
}
