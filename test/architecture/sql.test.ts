import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from './source.ts'
import { commonTableExpressions, qualified, sqlIn, sqlUnder, tokens, unqualifiedTables } from './sql.ts'

const PLUGINS = readdirSync(join(ROOT, 'plugins'))
const SCHEMAS = new Set([...PLUGINS, 'core', 'graphile_worker', 'public'])

/** A plugin may use this of the core's schema. */
const LENT = new Set([
  'core.protect_tenant_table',
  'core.make_work_table',
  'core.current_workspace',
  'core.unindexed',
  'core.workspaces_in',
])

describe('a plugin keeps to its own tables', () => {
  for (const plugin of PLUGINS) {
    test(`${plugin} touches its own schema and what the core lends`, () => {
      const touched = sqlUnder(`plugins/${plugin}/`).flatMap(({ place, text }) =>
        qualified(tokens(text), SCHEMAS)
          .filter(({ schema, name }) => schema !== plugin && !LENT.has(`${schema}.${name}`))
          .map(({ schema, name }) => `${place} ${schema}.${name}`),
      )
      expect(touched).toEqual([])
    })
  }
})

test('the core touches no schema of a plugin', () => {
  const touched = [...sqlUnder('core/'), ...sqlUnder('sql/')].flatMap(({ place, text }) =>
    qualified(tokens(text), new Set(PLUGINS)).map(({ schema, name }) => `${place} ${schema}.${name}`),
  )
  expect(touched).toEqual([])
})

test('every statement names the schema of its tables', () => {
  const all = ['core/', 'sql/', 'plugins/'].flatMap(sqlUnder)
  // A statement may be put together from fragments that stand in one folder.
  const named = Map.groupBy(all, ({ place }) => dirname(place))
  const namesIn = new Map(
    [...named].map(([folder, own]) => [
      folder,
      new Set(own.flatMap(({ text }) => [...commonTableExpressions(tokens(text))])),
    ]),
  )
  const bare = all.flatMap(({ place, text }) =>
    unqualifiedTables(tokens(text), namesIn.get(dirname(place)))
      .filter(name => !CATALOGUE.test(name))
      .map(name => `${place} ${name}`),
  )
  expect(bare).toEqual([])
})

/** The catalogue of Postgres, which is in every search path. */
const CATALOGUE = /^pg_[a-z_]+$/

test('no session is changed for those who use its connection next', () => {
  const all = ['core/', 'sql/', 'plugins/'].flatMap(sqlUnder)
  const fileOf = (place: string) => place.replace(/:\d+$/, '')
  const resets = new Set(
    all.flatMap(({ place, text }) => {
      const [command, name] = tokens(text)
      return command === 'reset' ? [`${fileOf(place)} ${name}`] : []
    }),
  )
  const changes = all.flatMap(({ place, text }) => {
    const list = tokens(text)
    return list.flatMap((token, n) => {
      const begins = n === 0 || list[n - 1] === ';'
      // A statement that cannot run in a transaction may set on a connection it has for itself, if it resets.
      const isReset = resets.has(`${fileOf(place)} ${list[n + 1]}`)
      const sets = begins && token === 'set' && list[n + 1] !== 'local' && !isReset
      const makesTemporary = token === 'create' && /^temp(orary)?$/.test(list[n + 1] ?? '')
      const locksSession = /^pg_(try_)?advisory_lock(_shared)?$/.test(token)
      return sets || makesTemporary || locksSession ? [`${place} ${token}`] : []
    })
  })
  expect(changes).toEqual([])
})

test('settings of a transaction are commands, which a distributed Postgres passes on to its nodes', () => {
  const calls = ['core/', 'sql/', 'plugins/']
    .flatMap(sqlUnder)
    .filter(({ text }) => tokens(text).includes('set_config'))
    .map(({ place }) => place)
  expect(calls).toEqual([])
})

describe('the search for tables is not fooled', () => {
  const used = (sql: string) => qualified(tokens(sql), SCHEMAS).map(({ schema, name }) => `${schema}.${name}`)
  const bare = (sql: string) => unqualifiedTables(tokens(sql))

  test('by letter case, quotes, comments or texts', () => {
    expect(used('select 1 FROM "core" . "Account"')).toEqual(['core.account'])
    expect(used("select 'core.account' -- core.account\n /* core.account */")).toEqual([])
    expect(used('select core.workspace.name from x')).toEqual(['core.workspace'])
    expect(used('select core.id from public.a as core')).toEqual(['public.a'])
    expect(used('select core.id from core.a as core')).toEqual(['core.a'])
  })

  test('by where a table stands', () => {
    const statements: Record<string, string[]> = {
      'select * from a, core.b join c on true': ['a', 'c'],
      'insert into a values (1) on conflict do update set x = 1': ['a'],
      'update a set x = 1 from b where a.x is distinct from b.x': ['a', 'b'],
      'delete from a where exists (select from b)': ['a', 'b'],
      'with a as (select 1), b (x) as materialized (select 2) select * from a, b join a using (x)': [],
      'select extract(epoch from at), trim(both from x) from lateral (select 1) s, unnest($1) u': [],
      'select * from core.a for update skip locked': [],
      'create table core.a (b int references c (id) on update cascade)': ['c'],
    }
    for (const [sql, expected] of Object.entries(statements)) expect([sql, bare(sql)]).toEqual([sql, expected])
  })

  test('by where SQL stands in code', () => {
    const found = sqlIn(
      'core/x.ts',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is source code to be searched.
      'await tx<{ a: 1 }[]>`select ${x} from core.a`; tx.unsafe("select 1"); tx.unsafe(`select ${y}`); `plain`',
    )
    expect(found.map(({ text }) => text)).toEqual(['select  $0  from core.a', 'select 1', 'select  $0 '])
  })
})
