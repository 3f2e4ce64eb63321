import { readFileSync } from 'node:fs'

/** Resident megabytes of a process, with the embedded database and the model in it; 0 where the system does not say. */
export function residentMb(pid: number): number {
  try {
    const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Math.round(Number(kb ?? 0) / 1024)
  } catch {
    return 0
  }
}
