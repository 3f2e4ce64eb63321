import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { gate } from '../../../test/support/gate.ts'
import { until } from '../../../test/support/wait.ts'
import { EmbeddingWorld, FakeModels, heldBack, meaning, search } from '../embedding/world.test-support.ts'

const models = new FakeModels()
beforeAll(() => models.start())
afterEach(() => EmbeddingWorld.stopAll())
afterAll(() => models.endpoint.stop())

test('a memory whose text stays is found by meaning while an update of it is processed', async () => {
  const [model] = models.pair()
  const text = 'the ferry leaves early'
  const world = await EmbeddingWorld.open(model, [])
  const [id = ''] = await world.write([text])
  const client = world.clientOf(world.first)
  const held = gate()
  let asked = 0
  model.behave = request => {
    if (!request.body.input.some(one => one === text || one === 'another text')) return undefined
    asked++
    return heldBack(held)
  }
  expect((await client.put(`/v1/memories/${id}`, { memory: text, priority: 'HIGH' })).status).toBe(200)
  await until('it is embedded again', async () => asked === 1)
  expect((await search(client, meaning(text))).texts).toEqual([text])
  held.open()
  await world.processed()
  expect((await search(client, meaning(text))).texts).toEqual([text])

  const closed = gate()
  model.behave = request => (request.body.input.includes('another text') ? heldBack(closed) : undefined)
  await client.put(`/v1/memories/${id}`, { memory: 'another text' })
  expect((await search(client, meaning(text))).texts).toEqual([])
  closed.open()
  await world.processed()
})
