import { afterAll } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

const folders: string[] = []

afterAll(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

/** Makes an empty folder, removed when the tests of the file are done. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-postgres-'))
  folders.push(folder)
  return folder
}

export function onePool(url: string): pg.Pool {
  return new pg.Pool({ connectionString: url, max: 1 })
}
