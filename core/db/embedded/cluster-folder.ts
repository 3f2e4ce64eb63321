import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Where the files of Postgres lie inside the database folder. */
export function clusterFolder(folder: string): string {
  return join(folder, 'pgdata')
}

/** Where they lie until they are complete. */
export function unfinishedClusterFolder(folder: string): string {
  return join(folder, 'pgdata.unfinished')
}

export function clusterExists(folder: string): boolean {
  return existsSync(clusterFolder(folder))
}
