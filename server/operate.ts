import { join } from 'node:path'
import { resetPassword } from '../core/auth/reset-password.ts'
import { StartError } from '../core/boot/explain.ts'
import { coreConfig, requireConfig } from '../core/config.ts'
import { clusterExists } from '../core/db/embedded/cluster-folder.ts'
import { openStorage, type Storage } from '../core/db/storage.ts'
import { createLog } from '../core/log.ts'

const USAGE = `Usage:
  bun run server                        starts the server
  bun run server reset-password EMAIL   gives an account a new password and ends its sessions`

/** Carries out what an operator asks of the server's own data in a shell. @returns the exit code */
export async function operate([command, email, ...more]: readonly string[]): Promise<number> {
  if (command !== 'reset-password' || !email || more.length > 0) {
    console.error(USAGE)
    return 2
  }
  const storage = await openExisting()
  try {
    const reset = await resetPassword(storage.database, email)
    if ('known' in reset) {
      console.error(`No account has the e-mail address ${email}. There are: ${reset.known.join(', ') || 'none'}`)
      return 1
    }
    process.stdout.write(`The new password of ${email} is not shown again:\n  password   ${reset.password}\n`)
    return 0
  } catch (error) {
    throw isNotSetUp(error) ? new StartError('the database is empty. Start the server once.', { cause: error }) : error
  } finally {
    await storage.close()
  }
}

/** The database of the settings, which must be there: a password is of no use in a new one. */
async function openExisting(): Promise<Storage> {
  const config = requireConfig(coreConfig, process.env)
  const { DATABASE_URL, DATA_DIR } = config
  if (!DATABASE_URL && !clusterExists(join(DATA_DIR, 'postgres'))) {
    throw new StartError(`there is no database in DATA_DIR (${DATA_DIR}).`)
  }
  return openStorage({
    databaseUrl: DATABASE_URL,
    dataDir: DATA_DIR,
    poolSize: 2,
    log: createLog('warn'),
    onFatal(error) {
      console.error(`Mneme stops: ${error.message}`)
      process.exit(1)
    },
  })
}

/** `undefined_table`: no server was ever started on it. */
function isNotSetUp(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === '42P01'
}
