import { join } from 'node:path'
import { type ProcessUsage, usageOf } from './usage.ts'

/** A process that opens the embedded databases of all test files. */
export interface DatabaseHost {
  /** Test files find it by this, which `test/kit/database.ts` reads. */
  readonly environment: Readonly<Record<string, string>>
  /** Ends it with all of its databases; tells what it took. */
  stop(): Promise<ProcessUsage>
}

/** Starts it with its socket in the folder of the run. It ends with the runner, however that ends. */
export async function startDatabaseHost(root: string, folder: string): Promise<DatabaseHost> {
  const socket = join(folder, 'databases')
  const host = Bun.spawn([process.execPath, '--no-orphans', 'test/runner/database-host.ts', socket], {
    cwd: root,
    env: { ...process.env, TMPDIR: folder },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const { value } = await host.stdout.getReader().read()
  if (!value) throw new Error(`the host of the databases ended with ${await host.exited} before it was ready`)
  return {
    environment: { MNEME_TEST_DATABASES: socket },
    async stop() {
      host.kill()
      await host.exited
      return usageOf('the host of the databases', host)
    },
  }
}
