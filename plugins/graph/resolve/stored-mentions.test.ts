import { expect, test } from 'bun:test'
import { rowsRead } from '../../../test/support/rows-read.ts'
import { graphWorld } from '../world.test-support.ts'
import { storedMentions } from './stored-mentions.ts'

test('of a user only the mentions that tell a name are read', async () => {
  const { workspaceId, read, entity, mentionsOfUser } = await graphWorld()
  const ada = await entity('Ada', 'PERSON', { isUser: true })
  await mentionsOfUser(3000, ada, ['u7'])
  await mentionsOfUser(3, ada, ['Ada', 'u7'])
  const { groups, count } = await read(async tx => {
    await tx`set local enable_seqscan = off`
    const before = await rowsRead(tx, 'graph', 'mention')
    const { groups } = await storedMentions(tx, { workspaceId, userId: 'ada' }, ['ada'], [])
    return { groups, count: (await rowsRead(tx, 'graph', 'mention')) - before }
  })
  expect(groups).toMatchObject([{ normalNames: ['ada', 'u7'] }, { normalNames: ['ada'] }])
  expect(count).toBe(3)
})
