import type { Database } from './database.ts'

/** The one clock that all processes share. */
export async function databaseTime(database: Database): Promise<Date> {
  const [row] = await database.system(tx => tx<{ now: Date }[]>`select now() as now`)
  if (!row) throw new Error('the database did not tell its time')
  return row.now
}
