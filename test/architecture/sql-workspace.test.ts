import { describe, expect, test } from 'bun:test'
import { type Sql, sqlUnder } from './sql.ts'
import { type Binding, usesOf } from './sql-workspace.ts'

const all = ['core/', 'sql/', 'plugins/'].flatMap(sqlUnder)

/** Tables under row-level security, and the views of their rows. */
const RELATIONS = new Set(
  all
    .filter(({ place }) => place.endsWith('.sql'))
    .flatMap(({ text }) => [
      ...[...text.matchAll(/protect_tenant_table\('([a-z_.]+)'\)/g)].map(match => match[1] ?? ''),
      ...[...text.matchAll(/^create view ([a-z_.]+) as/gm)].map(match => match[1] ?? ''),
    ]),
)

/** A statement of the system that goes through all workspaces says why, in its first line. */
const MARK = /^\s*-- across workspaces: (\S.*)$/m

const isAcross = ({ text }: Sql) => MARK.test(text)

describe('every statement names the workspace of the rows that it reaches', () => {
  test('of the tables that there are', () => {
    expect(RELATIONS.size).toBeGreaterThan(30)
    expect(RELATIONS).toContain('memories.memory')
    expect(RELATIONS).toContain('search.own_document')
  })

  test('as a parameter, so that it goes to one node and row-level security is not the only filter', () => {
    // Where this fails: add `<table>.workspace_id = ${workspaceId}` to the fragment that names the table (`workspaceOf(tx)` has
    // it), or begin the statement with `-- across workspaces: <why>` if the system goes through all of them.
    const unbound = all
      .filter(sql => !isAcross(sql) && !FUNCTIONS_OF_MANY.has(sql.place))
      .flatMap(sql => usesOf(sql, RELATIONS))
      .filter(({ binding }) => binding !== 'one')
    expect(unbound.map(({ place, relation, binding }) => `${place} ${relation} ${binding}`)).toEqual([])
  })

  test('but for those of the system that say why, each of which has to', () => {
    const needless = all.filter(
      sql => isAcross(sql) && usesOf(sql, RELATIONS).every(({ binding }) => binding === 'one'),
    )
    expect(needless.map(({ place }) => place)).toEqual([])
    const reasons = all.filter(isAcross).map(({ text }) => MARK.exec(text)?.[1] ?? '')
    expect(reasons.filter(reason => reason.split(' ').length < 3)).toEqual([])
  })

  test('and none of those stands in a route', () => {
    expect(all.filter(sql => isAcross(sql) && sql.place.includes('/routes/')).map(({ place }) => place)).toEqual([])
  })

  test('also where rows are locked or read recursively', () => {
    const locking = all.filter(
      sql =>
        isAcross(sql) &&
        /\bfor (no key )?(update|share)\b|\bwith recursive\b/.test(sql.text) &&
        !LATER.has(pathOf(sql)),
    )
    expect(locking.map(({ place }) => place)).toEqual([])
  })
})

/** Files with a function that takes rows of many workspaces, by why it has to. */
const FUNCTIONS_OF_MANY = new Map([
  ['plugins/search/sql/0003_create_query_log.sql', 'a flush writes the searches of all workspaces together'],
  ['plugins/search/sql/0010_forget_buffered_searches.sql', 'the same flush, which leaves out what was deleted'],
  ['plugins/search/sql/0011_keep_a_search_once.sql', 'the same flush, which may be done again'],
  ['plugins/search/sql/0012_log_filters.sql', 'the same flush, which says whether a search had filters'],
  ['plugins/search/sql/0014_keep_texts_within_bounds.sql', 'the same flush, which leaves out the texts of a flood'],
  ['plugins/search/sql/0018_find_recent_deletions.sql', 'the same flush, which finds deletions by their index'],
  ['plugins/search/sql/0028_log_search_by_search.sql', 'the same flush, search by search'],
  ['plugins/search/sql/0020_forget_users.sql', 'the same flush, which leaves out searches of erased users'],
  [
    'plugins/search/sql/0021_forget_searches_for_users.sql',
    'the same flush, which leaves out searches for the ids of erased users',
  ],
])

/** A distributed Postgres would refuse these as they are; they are listed by what is to become of them. */
const LATER = new Map([
  ['plugins/graph/tasks/sweep.ts', 'the queue moves onto leased work'],
  ['plugins/conversations/queries/progress.ts', 'the queue moves onto leased work'],
  ['plugins/memories/queries/processing.ts', 'the queue moves onto leased work'],
  ['plugins/search/engine/typesense/outbox.ts', 'the queue moves onto leased work'],
])

function pathOf({ place }: Sql): string {
  return place.replace(/:\d+$/, '')
}

describe('the search for a workspace is not fooled', () => {
  const RELATION = new Set(['m.memory', 'm.history'])
  const bindings = (text: string): Binding[] => usesOf({ place: '', text }, RELATION).map(({ binding }) => binding)

  test('by a column that is only read, or by another relation of the statement', () => {
    expect(bindings('select memory.workspace_id from m.memory where memory.id = $1')).toEqual(['none'])
    expect(
      bindings('select * from m.memory a join m.history b on b.memory_id = a.id where a.workspace_id = $1'),
    ).toEqual(['one', 'none'])
    expect(bindings("select 1 from m.memory -- memory.workspace_id = $1\n where memory.id = 'x'")).toEqual(['none'])
  })

  test('by rows that stand for many workspaces', () => {
    expect(bindings('delete from m.memory using gone where memory.workspace_id = gone.workspace_id')).toEqual(['many'])
    expect(bindings('select 1 from m.memory where memory.workspace_id = any($1)')).toEqual(['many'])
    expect(bindings('select 1 from m.memory where (memory.workspace_id, memory.id) in (select 1, 2)')).toEqual(['many'])
    expect(bindings('insert into m.memory (workspace_id, id) select new.workspace_id, 1 from new')).toEqual(['many'])
  })

  test('by an insert without the column, or by one that fills it with what is given', () => {
    expect(bindings('insert into m.memory (id) values ($1)')).toEqual(['none'])
    expect(bindings('insert into m.memory (workspace_id, id) values ($1, $2)')).toEqual(['one'])
    expect(bindings('insert into m.memory (workspace_id, id) select $1::uuid, x.id from x')).toEqual(['one'])
  })

  test('by parameters, joins to what they bind, and rows of a statement around a fragment', () => {
    const found: Record<string, Binding[]> = {
      'select 1 from m.memory where workspace_id = $1': ['one'],
      'update m.memory as m set x = 1 where m.workspace_id = $1 and m.id = $2': ['one'],
      'select 1 from m.memory a join m.history b on b.workspace_id = a.workspace_id where a.workspace_id = $1': [
        'one',
        'one',
      ],
      'select 1 from m.memory a join m.history b using (workspace_id, id) where a.workspace_id = $1': ['one', 'one'],
      'select 1 from m.memory where memory.workspace_id is not distinct from $1': ['one'],
      'cross join lateral (select 1 from m.history where history.workspace_id = outer_row.workspace_id) as x': ['one'],
      'delete from m.memory where workspace_id = workspace and id = any(ids)': ['one'],
    }
    for (const [sql, expected] of Object.entries(found)) expect([sql, bindings(sql)]).toEqual([sql, expected])
  })
})
