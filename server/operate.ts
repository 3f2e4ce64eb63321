import { join } from 'node:path'
import { clusterExists } from 'served-pglite'
import { resetPassword } from '../core/auth/reset-password.ts'
import { openKeyRing } from '../core/boot/encryption-key.ts'
import { StartError } from '../core/boot/explain.ts'
import { stateOf } from '../core/boot/migrations.ts'
import { plan } from '../core/boot/plan.ts'
import { type ResealAllResult, resealAll } from '../core/boot/sealed-columns.ts'
import { asksForHelp } from '../core/command.ts'
import { coreConfig, requireConfig } from '../core/config.ts'
import type { Database } from '../core/db/database.ts'
import { openStorage, type Storage } from '../core/db/storage.ts'
import { createLog } from '../core/log.ts'
import { distribute } from './distribute.ts'
import { type Answer, diagnose, discard, giveBack } from './doctor.ts'
import { builtInPlugins, loadThirdParty } from './plugins.ts'
import { interruption } from './process.ts'
import { purge } from './purge.ts'

const USAGE = `Usage:
  bun run server                        starts the server
  bun run server reset-password EMAIL   gives an account a new password, ends its sessions and lifts its lock
  bun run server reseal                 seals all secrets again under ENCRYPTION_KEY, and retires the former keys
  bun run server doctor                 lists what jobs left out or gave up, and other faults to act on
  bun run server doctor release ID      gives one of them back, to be tried again
  bun run server doctor discard TASK    deletes the jobs of a task whose plugin was removed for good, and what is in quarantine
  bun run server distribute             spreads the tables of workspaces over the nodes of Citus (docs/scaling.md)
  bun run server purge                  rewrites the database's files, so that nothing that was deleted can be read in them`

/** Carries out what an operator asks of the server's own data in a shell. @returns the exit code */
export async function operate(line: readonly string[]): Promise<number> {
  const [command, ...words] = line
  const [first, ...more] = words
  if (asksForHelp(line)) {
    process.stdout.write(`${USAGE}\n`)
    return 0
  }
  if (command === 'reset-password' && first && more.length === 0) {
    return onStorage(openExisting, ({ database }) => replacePassword(database, first))
  }
  if (command === 'doctor' && words.length === 0) {
    return onStorage(openExisting, storage => tell(diagnose(storage, requireConfig(coreConfig, process.env))))
  }
  if (command === 'doctor' && first === 'release' && more[0] && more.length === 1) {
    const [id] = more
    return onStorage(openExisting, storage => tell(giveBack(storage, id)))
  }
  if (command === 'doctor' && first === 'discard' && more[0] && more.length === 1) {
    const [task] = more
    const plugins = await knownPlugins()
    return onStorage(openExisting, storage => tell(discard(storage, task, plugins)))
  }
  if (command === 'purge' && words.length === 0) {
    return onStorage(openExisting, storage => purge(storage, line => void process.stdout.write(`${line}\n`)))
  }
  if (command === 'distribute' && words.length === 0) {
    return onStorage(openExisting, storage => tell(distribute(storage, line => void process.stdout.write(`${line}\n`))))
  }
  if (command === 'reseal' && words.length === 0) return resealSecrets()
  console.error(USAGE)
  return 2
}

async function tell(answer: Promise<Answer>): Promise<number> {
  const { code, stdout, stderr } = await answer
  if (stdout) process.stdout.write(`${stdout}\n`)
  if (stderr) console.error(stderr)
  return code
}

async function onStorage(open: () => Promise<Storage>, work: (storage: Storage) => Promise<number>): Promise<number> {
  const storage = await open()
  try {
    return await work(storage)
  } catch (error) {
    if (!(error instanceof Error) || Reflect.get(error, 'code') !== UNDEFINED_TABLE) throw error
    throw new StartError(await whatIsMissing(storage.database, error), { cause: error })
  } finally {
    await storage.close()
  }
}

async function replacePassword(database: Database, email: string): Promise<number> {
  const reset = await resetPassword(database, email)
  if ('known' in reset) {
    console.error(`No account has the e-mail address ${email}. There are: ${reset.known.join(', ') || 'none'}`)
    return 1
  }
  process.stdout.write(`The new password of ${email} is not shown again:\n  password   ${reset.password}\n`)
  for (const { place, seconds } of reset.locked) {
    process.stdout.write(
      `The ${place} is locked for ${seconds} s more: wrong passwords of many accounts came from there.\n`,
    )
  }
  return 0
}

/** Lists the built-in plugins, switched off or not, those that PLUGINS names, and the kernel, which has tasks too. */
async function knownPlugins(): Promise<ReadonlySet<string>> {
  const { selection } = await plan({ environment: process.env, builtIn: builtInPlugins, loadThirdParty })
  return new Set(['core', ...[...selection.loaded, ...selection.disabled].map(({ id }) => id)])
}

/** It may run beside servers; interrupted, it continues from there the next time. */
async function resealSecrets(): Promise<number> {
  const { selection, configuration } = await plan({ environment: process.env, builtIn: builtInPlugins, loadThirdParty })
  const signal = interruption()
  return onStorage(openExisting, async ({ database }) => {
    const ring = await openKeyRing(configuration.core, database)
    const result = await resealAll(database, selection, ring, { signal })
    for (const line of linesOf(result)) process.stdout.write(`${line}\n`)
    return isDone(result) ? 0 : 1
  })
}

function isDone({ complete, unopened, unreached }: ResealAllResult): boolean {
  return complete && unopened.length === 0 && unreached.length === 0
}

function linesOf(result: ResealAllResult): string[] {
  const { resealed, complete, unopened, unreached, retired } = result
  return [
    `Sealed again under ENCRYPTION_KEY: ${resealed}`,
    ...unopened.map(row => `  cannot be opened with any key that is named: ${row}`),
    ...unreached.map(column => `  not reached: ${column}, whose plugin PLUGINS does not name`),
    ...(complete ? [] : ['  not finished: run it again']),
    isDone(result)
      ? `Nothing is sealed under another key (${retired.length} retired). ENCRYPTION_KEY_PREVIOUS can go.`
      : 'Former keys are still needed: keep ENCRYPTION_KEY_PREVIOUS.',
  ]
}

/** Opens the database of the settings, which must exist: no operator's command makes sense on a new one. */
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

const UNDEFINED_TABLE = '42P01'

/** Tells a database on which no server ever started from one of an older version, and from one that lost a table. */
async function whatIsMissing(database: Database, { message }: Error): Promise<string> {
  const state = await stateOf(database)
  if (state === 'empty') return 'the database is empty. Start the server once.'
  if (state === 'older') {
    return `the database is of an older version of Mneme: ${message}. Start this version's server once, which brings it up to date.`
  }
  return `the database lacks a part: ${message}. Start the server once in case a plugin is new to it; what was lost comes back from a backup.`
}
