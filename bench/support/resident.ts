import { readFileSync } from 'node:fs'

export interface Watched {
  readonly seconds: number
  /** Resident memory of the process: before the work, and how far it rose above that, looked at ten times a second. */
  readonly beforeMb: number
  readonly grownMb: number
}

/** Watches the memory of a process while work goes on. */
export async function watchMemory(pid: number, work: () => Promise<unknown>): Promise<Watched> {
  const beforeMb = residentMb(pid)
  let most = beforeMb
  const watch = setInterval(() => {
    most = Math.max(most, residentMb(pid))
  }, 100)
  const begunAt = performance.now()
  try {
    await work()
  } finally {
    clearInterval(watch)
  }
  return { beforeMb, grownMb: most - beforeMb, seconds: (performance.now() - begunAt) / 1000 }
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
