import { randomUUID } from 'node:crypto'
import type { Database, NewJob, Tx } from 'mneme/plugin'
import { insertAccount } from '../../../core/auth/control/accounts.ts'
import { createAdministration } from '../../../core/auth/control/administration.ts'
import { closeWorkspace, insertWorkspace } from '../../../core/auth/control/workspaces.ts'
import { migrateAll } from '../../../core/boot/migrations.ts'
import { selectPlugins } from '../../../core/boot/select.ts'
import { openStorage } from '../../../core/db/storage.ts'
import { createLog } from '../../../core/log.ts'
import { builtInPlugins } from '../../../server/plugins.ts'
import { oncePerRun, onEnd } from '../../../test/support/closing.ts'
import { ownDatabaseUrl } from '../../../test/support/database.ts'
import { type WorkspaceEraser, workspaceErasers } from '../contract.ts'
import type { WorkspacesScope } from '../scope.ts'

/** The tables of all plugins on a database of its own, without the checks that made-up rows would not pass. */
export function tables(): Promise<{ database: Database; names: readonly string[] }> {
  return oncePerRun('tenant-tables', async () => {
    const log = createLog('silent')
    const url = await ownDatabaseUrl()
    const storage = await openStorage({ databaseUrl: url, dataDir: '', poolSize: 4, log, onFatal: () => undefined })
    onEnd(() => storage.close())
    await migrateAll(storage, selectPlugins(builtInPlugins, [], []))
    const { database } = storage
    const names = await database.system(async tx => {
      const found = await tx<{ name: string }[]>`
        select pg_class.oid::regclass::text as name
        from pg_class
        join pg_attribute on pg_attribute.attrelid = pg_class.oid and pg_attribute.attname = 'workspace_id'
        where pg_class.relkind = 'r' and pg_class.relforcerowsecurity
        order by 1`
      for (const { name } of found) await dropConstraints(tx, name)
      return found.map(({ name }) => name)
    })
    return { database, names }
  })
}

async function dropConstraints(tx: Tx, table: string): Promise<void> {
  const checks = await tx<{ name: string }[]>`
    select conname as name from pg_constraint where conrelid = ${table}::regclass and contype in ('c', 'f')`
  for (const { name } of checks) await tx.unsafe(`alter table ${table} drop constraint ${name}`)
}

/** An account with two workspaces, of which one was just closed; both have a row in every tenant table, and so have their twins. */
export async function closedWorkspace() {
  const { database, names } = await tables()
  return database.system(async tx => {
    const accountId = await insertAccount(tx, `${randomUUID()}@example.com`, 'no hash')
    const [doomed, kept] = [await workspace(tx, accountId), await workspace(tx, accountId)]
    for (const id of [...doomed, ...kept]) for (const name of names) await addRow(tx, name, id)
    await closeWorkspace(tx, accountId, doomed[0])
    return { accountId, doomed, kept }
  })
}

async function workspace(tx: Tx, accountId: string): Promise<readonly [string, string]> {
  const { id, twinId } = await insertWorkspace(tx, { accountId, name: 'Test', plan: 'unlimited' })
  return [id, twinId ?? '']
}

/** A row of nothing but the workspace and what a column must have. */
export async function addRow(tx: Tx, table: string, workspaceId: string): Promise<void> {
  const columns = await tx<{ name: string; type: string }[]>`
    select attname as name, format_type(atttypid, atttypmod) as type
    from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and attnotnull and not atthasdef and attname <> 'workspace_id'`
  const names = ['workspace_id', ...columns.map(({ name }) => `"${name}"`)]
  const values = [`'${workspaceId}'`, ...columns.map(({ type }) => madeUp(type))]
  await tx.unsafe(`insert into ${table} (${names.join(', ')}) values (${values.join(', ')})`)
}

function madeUp(type: string): string {
  if (type === 'uuid') return 'gen_random_uuid()'
  if (type.startsWith('timestamp') || type === 'date') return 'now()'
  if (type.endsWith('[]') || type.startsWith('json')) return `'{}'::${type}`
  if (type.includes('vec') && type !== 'tsvector') return `'[1]'::${type}`
  return `'${/int|real|double/.test(type) ? '1' : type === 'boolean' ? 'true' : ''}'::${type}`
}

/** Counts the rows of the workspaces, their own included. */
export async function rowsOf(ids: readonly string[]): Promise<number> {
  const { database, names } = await tables()
  return database.system(async tx => {
    let sum = 0
    for (const id of ids) {
      sum += (await tx`select from core.workspace where workspace.id = ${id}`).length
      for (const name of names) sum += (await tx`select from ${tx.unsafe(name)} where workspace_id = ${id}`).length
    }
    return sum
  })
}

export interface ErasureWorld {
  readonly scope: WorkspacesScope
  /** Jobs that were added and not taken yet. */
  readonly jobs: NewJob[]
}

/** Builds the scope of this plugin's tasks. */
export async function erasureWorld(
  options: { erasers?: readonly WorkspaceEraser[]; database?: Database } = {},
): Promise<ErasureWorld> {
  const database = options.database ?? (await tables()).database
  const jobs: NewJob[] = []
  const remembered = { forgetKey: () => undefined, forgetAccount: () => undefined, forget: () => undefined }
  const administration = createAdministration({
    ...{ database, authenticator: remembered, directory: remembered, config: {}, keys: { all: [] } },
  } as never)
  const extensions = (point: unknown) => (point === workspaceErasers ? (options.erasers ?? []) : [])
  const scope = {
    administration,
    database,
    log: createLog('silent'),
    wiring: { extensions },
    jobs: {
      async enqueue(_: Tx, added: readonly NewJob[]) {
        jobs.push(...added)
      },
    },
  }
  return { scope: scope as never, jobs }
}
