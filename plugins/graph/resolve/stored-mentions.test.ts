import { expect, test } from 'bun:test'
import { textArray } from 'mneme/plugin'
import { graphWorld } from '../world.test-support.ts'
import { storedMentions } from './stored-mentions.ts'

test('of a user only the mentions that tell a name are read', async () => {
  const { workspaceId, read, entity } = await graphWorld()
  const ada = await entity('Ada', 'PERSON', { isUser: true })
  const mention = (count: number, names: readonly string[]) =>
    read(
      tx => tx`
        insert into graph.mention (
          workspace_id, memory_id, entity_id, user_id, names, normal_names, type, is_user, confidence, span_start, span_end, stated_at
        )
        select
          ${workspaceId}, gen_random_uuid(), ${ada}, 'ada', ${textArray(names)}::text[],
          ${textArray(names.map(name => name.toLowerCase()))}::text[], 'PERSON', true, 0.9, 0, 1, now()
        from generate_series(1, ${count}::integer)`,
    )
  await mention(3000, ['u7'])
  await mention(3, ['Ada', 'u7'])
  const { groups, rowsRead } = await read(async tx => {
    await tx`set local enable_seqscan = off`
    const { groups } = await storedMentions(tx, { workspaceId, userId: 'ada' }, ['ada'], [])
    const [row] = await tx<{ count: number }[]>`
      select (seq_tup_read + idx_tup_fetch)::integer as count
      from pg_stat_xact_user_tables
      where schemaname = 'graph' and relname = 'mention'`
    return { groups, rowsRead: row?.count }
  })
  expect(groups).toMatchObject([{ normalNames: ['ada', 'u7'] }, { normalNames: ['ada'] }])
  expect(rowsRead).toBe(3)
})
