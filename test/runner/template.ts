import { join } from 'node:path'
import { dropDatabasesNamed } from '../kit/native-server.ts'

export interface Template {
  /** Test files copy the template by this, which `test/support/database.ts` reads. */
  readonly environment: Readonly<Record<string, string>>
  /** Drops it and every database that a test file has left. */
  drop(): Promise<void>
}

/** Makes the database that the test files copy; throws with what the making said when it fails. */
export async function makeTemplate(root: string, folder: string, serverUrl: string | undefined): Promise<Template> {
  const run = `mneme_test_${process.pid}_${Date.now().toString(36)}`
  const place = serverUrl ? `${run}_template` : join(folder, 'template')
  const made = Bun.spawn(
    [process.execPath, 'test/runner/prepare-template.ts', serverUrl ? 'native' : 'embedded', place],
    { cwd: root, env: { ...process.env, TMPDIR: folder }, stdout: 'ignore', stderr: 'pipe' },
  )
  const [said, code] = await Promise.all([new Response(made.stderr).text(), made.exited])
  if (code !== 0) throw new Error(`the template database could not be made:\n${said}`)
  return {
    environment: { MNEME_TEST_TEMPLATE: place, MNEME_TEST_RUN: run },
    async drop() {
      if (serverUrl) await dropDatabasesNamed(serverUrl, run)
    },
  }
}
