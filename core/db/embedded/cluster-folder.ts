import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The files of Postgres lie here inside the database folder. */
export function clusterFolder(folder: string): string {
  return join(folder, 'pgdata')
}

/** They lie here until they are complete. */
export function unfinishedClusterFolder(folder: string): string {
  return join(folder, 'pgdata.unfinished')
}

export function clusterExists(folder: string): boolean {
  return existsSync(clusterFolder(folder))
}
