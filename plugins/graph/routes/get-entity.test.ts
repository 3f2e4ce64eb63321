import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { rowsRead } from '../../../test/support/rows-read.ts'
import { findEntity } from '../reading/entities.ts'
import { type GraphWorld, graphWorld } from '../world.test-support.ts'

let world: GraphWorld

beforeAll(async () => {
  world = await graphWorld()
})

const get = async (id: string) => world.client.get(`/v1/graph/entities/${id}`)

describe('GET /v1/graph/entities/:id', () => {
  test('answers the full form, with everything counted now', async () => {
    const ada = await world.entity('Ada Moreau', 'PERSON', { aliases: ['Ada'] })
    const initech = await world.entity('Initech', 'ORGANIZATION')
    const acme = await world.entity('Acme', 'ORGANIZATION')
    await world.edge(ada, 'WORKS_AT', initech)
    await world.edge(ada, 'WORKS_AT', acme, { to: '2026-01-05' })
    await world.edge(ada, 'MEMBER_OF', acme, { validTo: '2026-01-05' })
    const memory = await world.remember('Ada Moreau and Initech')
    await world.mention(memory, ada, 'Ada')
    await world.mention(randomUUID(), ada, 'Ada Moreau')
    const { status, body } = await get(ada.toUpperCase())
    expect([status, body]).toEqual([
      200,
      {
        id: ada,
        name: 'Ada Moreau',
        type: 'PERSON',
        description: null,
        metadata: null,
        user_id: 'ada',
        aliases: ['Ada'],
        relationships_count: 1,
        related_memories_count: 1,
        created_at: '2026-01-01T00:00:00.000Z',
        updated_at: '2026-01-01T00:00:00.000Z',
      },
    ])
    expect((await get(initech)).body).toMatchObject({ relationships_count: 1, related_memories_count: 0 })
  })

  test('counts no memory that has expired or was merged into another', async () => {
    const place = await world.entity('Hamburg', 'PLACE')
    const texts = ['Hamburg is far', 'Hamburg is wet', 'Hamburg is big']
    const [seen, expired, merged] = await Promise.all(texts.map(text => world.remember(text)))
    for (const memory of [seen, expired, merged]) await world.mention(memory ?? '', place, 'Hamburg')
    await world.read(
      tx =>
        tx`update memories.memory set layer = 'TASK', expires_at = now() - interval '1 second' where id = ${expired ?? ''}`,
    )
    await world.read(
      tx => tx`update memories.memory set consolidated_into = ${seen ?? ''}, live = false where id = ${merged ?? ''}`,
    )
    expect((await get(place)).body.related_memories_count).toBe(1)
  })

  test('reads the names of a user without the memories that tell none', async () => {
    const { workspaceId } = world
    const ada = await world.entity('Ada Moreau', 'PERSON', { isUser: true })
    await world.mentionsOfUser(3000, ada, ['u7'])
    await world.mentionsOfUser(2, ada, ['Ada Moreau', 'u7'])
    await world.mentionsOfUser(1, ada, ['Ada', 'u7'])
    const { found, read } = await world.read(async tx => {
      await tx`set local enable_seqscan = off`
      const before = await rowsRead(tx, 'graph', 'mention')
      const found = await findEntity(tx, workspaceId, ada)
      return { found, read: (await rowsRead(tx, 'graph', 'mention')) - before }
    })
    expect([found?.aliases, read]).toEqual([['u7', 'Ada'], 3])
  })

  test('of another workspace, and one that nobody has, is not found', async () => {
    const other = await graphWorld()
    for (const id of [await other.entity('Eve'), randomUUID()]) {
      const { status, body } = await get(id)
      expect([status, body.error_code]).toEqual([404, 'ENTITY_NOT_FOUND'])
    }
  })

  test('refuses what is no id', async () => {
    const { status, body } = await get('ada')
    expect([status, body.details[0].path]).toEqual([400, 'id'])
  })
})
