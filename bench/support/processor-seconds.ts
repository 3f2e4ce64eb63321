import { readdirSync, readFileSync } from 'node:fs'
import type { Sql } from 'postgres'

/** The unit of the times in `/proc/ID/stat`. */
const TICKS_A_SECOND = 100

/**
 * Sums the processor time so far of a process and of all processes of the Postgres server, those that have ended included. It depends far less
 * on what else a machine does than elapsed time.
 * @param sql a connection to a Postgres server on this machine
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
export async function processorSeconds(pid: number, sql: Sql): Promise<number> {
  const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const postmaster = statOf(backend?.pid ?? 0)?.parent
  if (postmaster === undefined) throw new Error('Postgres has to run on this machine')
  const workers = readdirSync('/proc')
    .map(name => statOf(Number(name)))
    .filter(stat => stat?.parent === postmaster)
  const [own, server] = [statOf(pid), statOf(postmaster)]
  const ticks = [own, server, ...workers].reduce((sum, stat) => sum + (stat?.ticks ?? 0), server?.ticksOfEnded ?? 0)
  return ticks / TICKS_A_SECOND
}

function statOf(pid: number) {
  if (!Number.isInteger(pid)) return undefined
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before these fields stands in parentheses and may hold anything.
    const fields = stat
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(n => fields[n])
    return { parent, ticks: user + system, ticksOfEnded: endedUser + endedSystem }
  } catch {
    // The process has ended.
    return undefined
  }
}
