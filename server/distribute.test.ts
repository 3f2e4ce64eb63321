import { beforeAll, expect, test } from 'bun:test'
import type { Database } from '../core/db/database.ts'
import { eraseTypes } from '../core/plugin.ts'
import { workspacesPlugin } from '../plugins/workspaces/index.ts'
import { ownDatabaseUrl } from '../test/support/database.ts'
import { service, startService, type TestService } from '../test/support/service.ts'
import { distribute } from './distribute.ts'

/** Makes what the command asks of Citus: its catalogue and its functions. Each node answers as this database. */
const CITUS = `
  insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
  values (99999, 'citus', 10, 'pg_catalog'::regnamespace, false, '13.2-1');
  create table pg_dist_node (isactive boolean, shouldhaveshards boolean);
  create table pg_dist_partition (logicalrelid regclass, partmethod "char", colocated text);
  create function create_distributed_table(tenant regclass, key text, colocate_with text) returns void language sql
    as 'insert into pg_dist_partition values (tenant, ''h'', colocate_with)';
  create function create_distributed_function(called regprocedure) returns void language sql as '';
  create function run_command_on_workers(command text) returns table (nodename text, nodeport int, result text) language sql
    as 'select ''node'', 5432, case when command = ''select current_user'' then current_user::text else ''1'' end'`

let running: TestService
let url: string

beforeAll(async () => {
  url = await ownDatabaseUrl()
  running = await startService({ WORKERS: 'none' }, { url })
})

function run(database: Database) {
  return distribute({ database }, () => undefined)
}

test('one Postgres is left alone, and has no check', async () => {
  const { database, anonymous } = await service()
  expect(await run(database)).toMatchObject({ code: 0, stdout: expect.stringContaining('has no Citus') })
  const { body } = await anonymous.get('/ready')
  expect(body.checks).not.toHaveProperty('distribution')
})

test('a cluster is told what it lacks, then has its tables distributed once, and a server is ready from then on', async () => {
  const { database } = running
  await database.system(tx => tx.unsafe(CITUS).simple())
  const later = await startService({ WORKERS: 'none' }, { url, builtIn: [eraseTypes(workspacesPlugin)] })
  const ready = () => later.anonymous.get('/ready')
  expect(await ready()).toMatchObject({
    status: 503,
    body: {
      checks: { distribution: 'failed' },
      details: { distribution: { fault: expect.stringContaining('bun run server distribute') } },
    },
  })

  const lacking = await run(database)
  expect(lacking.code).toBe(1)
  expect(lacking.stderr?.split('\n')).toEqual([
    expect.stringContaining('No node takes tables'),
    expect.stringContaining('citus.propagate_set_commands'),
    expect.stringContaining('alter role mneme_app login'),
  ])

  const tables = await database.system(
    tx => tx<{ name: string }[]>`
      select pg_class.oid::regclass::text as name from pg_class where pg_class.relforcerowsecurity and pg_class.relkind in ('r', 'p')`,
  )
  const prepared: Pick<Database, 'system'> = {
    system: work =>
      database.system(async tx => {
        await tx.unsafe(`set local citus.propagate_set_commands = 'local'; alter role mneme_app login`).simple()
        try {
          return await work(tx)
        } finally {
          await tx.unsafe('reset role; alter role mneme_app nologin').simple()
        }
      }),
  }
  await database.system(tx => tx`insert into pg_dist_node values (true, true)`)
  const first = await distribute({ database: prepared }, () => undefined)
  expect(first).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${tables.length} tables are distributed, ${tables.length} of them now`),
  })
  const placed = await database.system(
    tx => tx<{ name: string; colocated: string }[]>`
      select logicalrelid::text as name, colocated from pg_dist_partition order by logicalrelid::oid`,
  )
  expect(placed.map(({ name }) => name).toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
  const [head, ...others] = placed
  expect(head?.colocated).toBe('none')
  expect(new Set(others.map(({ colocated }) => colocated))).toEqual(new Set([head?.name ?? '']))

  expect(await distribute({ database: prepared }, () => undefined)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('0 of them now'),
  })
  expect(await ready()).toMatchObject({ status: 200, body: { checks: { distribution: 'ok' } } })
})

test('a version that is not known is refused', async () => {
  const { database } = running
  await database.system(tx => tx`update pg_extension set extversion = '9.5-1' where extname = 'citus'`)
  expect(await run(database)).toMatchObject({ code: 1, stderr: expect.stringContaining('Citus 9.5-1') })
})
