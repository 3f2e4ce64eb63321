import { describe, expect, test } from 'bun:test'
import { service } from '../support/service.ts'
import { refusalsOf, STABLE, VOLATILE } from './citus-rules.ts'
import { sqlUnder, tokens } from './sql.ts'

const TABLE = 'memories.memory'

describe('a statement is refused', () => {
  const refused: Readonly<Record<string, readonly string[]>> = {
    rows: [
      `insert into ${TABLE} (workspace_id, id) select $1, new.id from jsonb_to_recordset($2) as new (id uuid)`,
      `insert into ${TABLE} (workspace_id, id) select $1, unnest($2::uuid[])`,
      `with gone as (delete from search.document where workspace_id = $1 returning workspace_id, memory_id)
        insert into ${TABLE} (workspace_id, id) select workspace_id, memory_id from gone`,
    ],
    workspace: [
      `insert into ${TABLE} (workspace_id, id) select $1, memory_id from search.document where workspace_id = $1`,
    ],
    insert: [
      `insert into ${TABLE} (workspace_id, id) values ($1, (select max(id) from ${TABLE} where workspace_id = $1))`,
      `with given as (select 1) insert into ${TABLE} (workspace_id, id) values ($1, $2)`,
    ],
    lazy: [
      `update ${TABLE} set at = case when $2 then now() end where workspace_id = $1`,
      `delete from ${TABLE} where workspace_id = $1 and coalesce(at, current_timestamp) > $2`,
    ],
    stable: [
      `update ${TABLE} set data = to_jsonb(text) where workspace_id = $1`,
      `update ${TABLE} set x = 1 where workspace_id = $1 and at + $2 * interval '1 day' < now()`,
    ],
    volatile: [`update ${TABLE} set x = random() where workspace_id = $1`],
    returning: [`delete from ${TABLE} where workspace_id = $1 returning to_json(at)`],
    conflict: [
      `insert into ${TABLE} (workspace_id, id) values ($1, $2) on conflict (workspace_id, id) do update set at = now()`,
    ],
    nothing: [`select count(*) from (select from ${TABLE} where workspace_id = $1 limit 10) as found`],
    distinct: ['select id from search.own_document where workspace_id is not distinct from $1'],
    named: [
      `insert into ${TABLE} (workspace_id, id) select document.workspace_id, memory_id from search.document where workspace_id = $1 returning id`,
    ],
    element: [
      `update ${TABLE} set x = (array[x, $2])[1] where workspace_id = $1`,
      `insert into ${TABLE} (workspace_id, x) values ($1, $2) on conflict (workspace_id) do update set x = (array[excluded.x])[1]`,
    ],
    simple: [`update ${TABLE} set x = case y when 'a' then 1 else 2 end where workspace_id = $1`],
    recursive: [
      `with recursive walk as (select id from ${TABLE} where workspace_id = $1 union select id from walk),
        gone as (delete from ${TABLE} using walk where workspace_id = $1 and memory.id = walk.id) select id from walk`,
    ],
  }

  for (const [refusal, statements] of Object.entries(refused)) {
    test(`for ${refusal}`, async () => {
      for (const statement of statements)
        expect([statement, ...(await refusalsOf(statement))]).toEqual([statement, refusal])
    })
  }

  test('for nothing else', async () => {
    const fine = [
      `insert into ${TABLE} (workspace_id, id, at) values ($1, $2, coalesce($3, now())), ($1, $4, now())
        on conflict (workspace_id, id) do update set at = excluded.at returning id`,
      `insert into ${TABLE} (workspace_id, id) select document.workspace_id, memory_id from search.document where workspace_id = $1`,
      `update ${TABLE} set at = now() + interval '1 day' where workspace_id = $1 and at < now() - interval '1 day'`,
      `update ${TABLE} set x = new.x from jsonb_to_recordset($2) as new (id uuid, x text) where workspace_id = $1 and memory.id = new.id`,
      `with changed as (update ${TABLE} set x = 1 where workspace_id = $1 returning id, at) select to_json(at) from changed`,
      'insert into core.account (id) select unnest($1::uuid[])',
      'no SQL at all',
    ]
    for (const statement of fine) expect([statement, ...(await refusalsOf(statement))]).toEqual([statement])
  })
})

describe('what these rules rest on', () => {
  test('the functions that SQL calls are immutable, or listed as stable or volatile', async () => {
    const named = sqlUnder('core/')
      .concat(sqlUnder('plugins/'), sqlUnder('sql/'))
      .flatMap(({ text }) => {
        const list = tokens(text)
        return list.filter((token, at) => /^[a-z]/.test(token) && list[at + 1] === '(')
      })
    const { database } = await service()
    const rows = await database.system(
      tx => tx<{ name: string; kinds: string }[]>`
        select proname as name, string_agg(distinct provolatile::text, '') as kinds from pg_proc where pronamespace = 'pg_catalog'::regnamespace group by 1`,
    )
    const wrong = rows.filter(({ name, kinds }) => {
      const listed = STABLE.has(name) || VOLATILE.has(name)
      return named.includes(name) && !listed && !kinds.includes('i')
    })
    expect(wrong).toEqual([])
  })
})
