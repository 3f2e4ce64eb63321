import { readdirSync, readFileSync } from 'node:fs'

/** Ends a process and all that it started, which would live on and hold their memory. */
export function killTree(pid: number): void {
  for (const one of [...descendants(pid), pid]) {
    try {
      process.kill(one, 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
}

/** The processes that `pid` started, and theirs; none where there is no `/proc`. */
export function descendants(pid: number): number[] {
  const parents = new Map(processIds().map(id => [id, Number(fieldsOf(id)?.[1])]))
  const found = [pid]
  for (const one of found) for (const [id, parent] of parents) if (parent === one) found.push(id)
  return found.slice(1)
}

/**
 * Tells for how long, since the system started, some process was ready to run while all cores were taken, in seconds: what a busy machine adds
 * to the time of a test file. 0 where the system does not say.
 * @see https://docs.kernel.org/accounting/psi.html
 */
export function secondsOverbooked(): number {
  const microseconds = /^some .*total=(\d+)$/m.exec(readOrNothing('/proc/pressure/cpu') ?? '')?.[1]
  return Number(microseconds ?? 0) / 1e6
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** State, parent and further fields of `/proc/ID/stat`; the name before them stands in parentheses and may hold anything. */
function fieldsOf(pid: number): string[] | undefined {
  return readOrNothing(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ')
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
