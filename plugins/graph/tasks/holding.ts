import type { Database } from 'mneme/plugin'
import { HOLD_EVERY_MS, holdReadings } from './reading-queue.ts'

/**
 * Keeps readings from being due while they are read, however slow a model is. When the process dies they are due soon, and so they are
 * when the database is away for long: reading twice does no harm.
 *
 * @param open those that are still being read; the caller takes out what is done
 */
export async function holding<T>(
  database: Database,
  workspaceId: string,
  open: ReadonlySet<string>,
  work: () => Promise<T>,
): Promise<T> {
  let busy = false
  const hold = async () => {
    if (busy || open.size === 0) return
    busy = true
    await database.workspace(workspaceId, tx => holdReadings(tx, workspaceId, [...open])).catch(() => undefined)
    busy = false
  }
  const timer = setInterval(() => void hold(), HOLD_EVERY_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
