import type { Database } from '../db/database.ts'

/**
 * graphile-worker runs a schedule only at a later time than it last ran, by the clock of the server that ran it. One whose clock was
 * ahead would stop it for all servers until then.
 */
export async function mendSchedules(database: Database): Promise<void> {
  await database.system(
    tx => tx`
      update graphile_worker._private_known_crontabs
      set last_execution = now()
      where last_execution > now() + interval '2 minutes'`,
  )
}
