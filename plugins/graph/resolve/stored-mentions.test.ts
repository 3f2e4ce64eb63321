import { expect, test } from 'bun:test'
import { textArray } from 'mneme/plugin'
import { rowsRead } from '../../../test/support/rows-read.ts'
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
  const { groups, count } = await read(async tx => {
    await tx`set local enable_seqscan = off`
    const before = await rowsRead(tx, 'graph', 'mention')
    const { groups } = await storedMentions(tx, { workspaceId, userId: 'ada' }, ['ada'], [])
    return { groups, count: (await rowsRead(tx, 'graph', 'mention')) - before }
  })
  expect(groups).toMatchObject([{ normalNames: ['ada', 'u7'] }, { normalNames: ['ada'] }])
  expect(count).toBe(3)
})
