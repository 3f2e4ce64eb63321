import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { FAKE_URL, failure } from '../../../core/models/http/fake-endpoint.test-support.ts'
import { gate } from '../../../test/support/gate.ts'
import { until } from '../../../test/support/wait.ts'
import { EmbeddingWorld, FakeModels, heldBack, meaning, numbered, search } from './world.test-support.ts'

const models = new FakeModels()
beforeAll(() => models.start())
afterEach(() => EmbeddingWorld.stopAll())
afterAll(() => models.endpoint.stop())

describe('several processes', () => {
  test('follow the latest start, the earlier process with its own settings', async () => {
    const [former, next] = models.pair()
    const texts = numbered(200)
    const world = await EmbeddingWorld.open(former, texts)
    // Only the later process has the key, so the earlier one can neither re-embed nor search with this model.
    next.behave = request => (request.headers.get('authorization') === 'Bearer new' ? undefined : failure(401, request))
    const service = await world.start(next, { EMBEDDINGS_API_KEY: 'new' })
    await world.switched(service, next)
    await world.switched(world.first, next)
    const [text = ''] = texts
    expect((await search(world.clientOf(service), meaning(text))).texts[0]).toBe(text)
    expect((await search(world.clientOf(world.first), meaning(text))).status).toBe(503)
    expect((await search(world.clientOf(world.first), text, 'hybrid')).texts[0]).toBe(text)
    next.behave = () => undefined
    await until('the earlier one can ask it too', async () => {
      return (await search(world.clientOf(world.first), meaning(text))).texts[0] === text
    })
    await world.cleaned()
    expect((await world.details(service)).active).toBe(`http/${next.name}`)
    expect(await world.vectors()).toEqual({ [`http/${next.name}/24`]: 200 })
  })

  test('resume the work of a stopped process, and nothing is embedded twice', async () => {
    const [former, next] = models.pair()
    const texts = numbered(300)
    const world = await EmbeddingWorld.open(former, texts)
    await world.first.kernel.stop()
    const slow = gate()
    next.behave = () => (next.asked.length > 100 ? heldBack(slow) : undefined)
    const stopped = await world.start(next)
    await until('some are embedded', async () => next.asked.length > 100)
    await stopped.kernel.stop()
    slow.open()
    const service = await world.start(next)
    await world.switched(service, next)
    const often = new Map<string, number>()
    for (const text of next.asked) often.set(text, (often.get(text) ?? 0) + 1)
    // Texts that were in flight when the process stopped are embedded again.
    expect([...often.values()].filter(times => times > 1).length).toBeLessThanOrEqual(32)
    expect(often.size).toBe(300)
  })
})

describe('one model name', () => {
  test('with another vector length is another model', async () => {
    const [former] = models.pair()
    const world = await EmbeddingWorld.open(former, numbered(20))
    models.add(former.name, 32)
    const service = await world.start(former)
    await until('it switched', async () => (await world.details(service)).dimensions === 32)
    await world.cleaned()
    expect(await world.vectors()).toEqual({ [`http/${former.name}/32`]: 20 })
  })

  test('at another address is the same model if its vectors are equal, otherwise another one', async () => {
    const [former] = models.pair()
    const texts = numbered(20)
    const world = await EmbeddingWorld.open(former, texts)
    await until('the model is known by a vector', async () => {
      const rows = await world.database.system(tx => tx`select from search.model where probe is not null`)
      return rows.length === 1
    })
    const moved = { EMBEDDINGS_URL: `${FAKE_URL}/embeddings` }
    const service = await world.start(former, moved)
    await until('the address is written down', async () => {
      const rows = await world.database.system(tx => tx`select from search.model where url = ${moved.EMBEDDINGS_URL}`)
      return rows.length === 1
    })
    expect((await world.details(service)).target).toBe(null)
    const other = models.add(former.name, 16)
    other.seed = 'of another maker'
    const changed = await world.start(former)
    await until('it switched', async () => {
      return other.asked.length >= 20 && (await world.details(changed)).target === null
    })
    expect((await search(world.clientOf(changed), meaning(texts[3] ?? ''))).texts[0]).toBe(texts[3] ?? '')
  })
})
