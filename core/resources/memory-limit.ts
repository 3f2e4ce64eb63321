import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'

/** The share of the machine or container that is left to a process; the rest is the system's and its file cache's. */
const SHARE = 0.8

/** Where the kernel says how much a container may have: control groups of version 2, and of version 1. */
const CGROUP_FILES = ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes']

/** In bytes: what the setting says in megabytes, or a share of what there is. */
export function memoryLimit(settingMb: number | undefined, available = availableMemory()): number {
  return settingMb === undefined ? Math.floor(available * SHARE) : settingMb * 1024 ** 2
}

function availableMemory(): number {
  return Math.min(totalmem(), ...CGROUP_FILES.map(readLimit))
}

/** Without a control group, or without a limit in it (`max`), there is none. */
function readLimit(path: string): number {
  try {
    const bytes = Number(readFileSync(path, 'utf8').trim())
    return bytes > 0 ? bytes : Number.POSITIVE_INFINITY
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
