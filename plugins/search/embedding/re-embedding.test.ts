import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { failure } from '../../../core/models/http/fake-endpoint.test-support.ts'
import { heldRows, refuseRows, releaseRows } from '../../../test/support/bad-row.ts'
import { gate } from '../../../test/support/gate.ts'
import { until } from '../../../test/support/wait.ts'
import { EmbeddingWorld, FakeModels, heldBack, meaning, numbered, search } from './world.test-support.ts'

const models = new FakeModels()
beforeAll(() => models.start())
afterEach(() => EmbeddingWorld.stopAll())
afterAll(() => models.endpoint.stop())

describe('a new embedding model', () => {
  test('becomes active when all memories have its vectors, and no search loses a result meanwhile', async () => {
    const [former, next] = models.pair()
    const texts = numbered(300)
    const world = await EmbeddingWorld.open(former, texts)
    expect(await world.vectors()).toEqual({ [`http/${former.name}/16`]: 300 })
    const slow = gate()
    next.behave = () => heldBack(slow)
    const service = await world.start(next)
    const client = world.clientOf(service)
    let asked = 0
    let over = false
    const wrong: object[] = []
    const searching = async (reader: number) => {
      for (let n = reader; !over; n += 7) {
        const text = texts[n % texts.length] ?? ''
        const found = await search(client, meaning(text))
        if (found.texts[0] !== text || found.warning) wrong.push(found)
        asked++
      }
    }
    const readers = [1, 2].map(searching)
    await until('the new model is asked', async () => (await world.details(service)).target === `http/${next.name}`)
    expect(await world.details(service)).toEqual({
      active: `http/${former.name}`,
      dimensions: 16,
      target: `http/${next.name}`,
      target_dimensions: 24,
      done: 0,
      total: 300,
      without_vector: 0,
    })
    slow.open()
    await world.switched(service, next)
    const before = asked
    await world.cleaned()
    await until('some more searches', async () => asked > Math.max(before + 20, 50))
    over = true
    await Promise.all(readers)
    expect(wrong).toEqual([])
    expect(asked).toBeGreaterThan(50)
    expect(await world.vectors()).toEqual({ [`http/${next.name}/24`]: 300 })
    expect(await world.gaps()).toBe(0)
    expect(next.asked.filter(text => texts.includes(text)).toSorted()).toEqual(texts.toSorted())
    const metrics = String((await service.anonymous.get('/metrics')).body)
    expect(metrics).toContain('mneme_reembedding_running 0')
    expect(metrics).toContain('mneme_reembedding_done 300')
  })

  test('also embeds memories created and changed meanwhile', async () => {
    const [former, next] = models.pair()
    const world = await EmbeddingWorld.open(former, numbered(60))
    const slow = gate()
    next.behave = request => (request.body.input.includes('late at night') ? heldBack(slow) : undefined)
    const [held = ''] = await world.write(['late at night'])
    const service = await world.start(next)
    const client = world.clientOf(service)
    await until('the text is asked for', async () =>
      models.endpoint.requests.some(({ body }) => body.model === next.name && body.input.includes('late at night')),
    )
    // The text changes while its vector is in flight, so the vector is stale when it arrives.
    expect((await client.put(`/v1/memories/${held}`, { memory: 'early in the morning' })).status).toBe(200)
    const [gone = ''] = await world.write(['made meanwhile and deleted'], service)
    await world.write(['made meanwhile'], service)
    await client.delete(`/v1/memories/${gone}`)
    await world.processed()
    for (const text of ['early in the morning', 'made meanwhile']) {
      expect((await search(client, meaning(text))).texts[0]).toBe(text)
    }
    slow.open()
    await world.switched(service, next)
    for (const text of ['early in the morning', 'made meanwhile']) {
      expect((await search(client, meaning(text))).texts[0]).toBe(text)
    }
    expect((await search(client, meaning('late at night'))).texts[0]).not.toBe('early in the morning')
    await world.cleaned()
    expect(await world.vectors()).toEqual({ [`http/${next.name}/24`]: 62 })
  })

  test('is abandoned when the former one is configured again, and leaves nothing behind', async () => {
    const [former, next] = models.pair()
    const texts = numbered(300)
    const world = await EmbeddingWorld.open(former, texts)
    const standing = gate()
    // It stands still in the middle. A failure would end after some seconds, and keep writes from this model for longer.
    next.behave = async request => {
      if (next.asked.length <= 100 || !request.body.input.some(text => texts.includes(text))) return undefined
      await standing.opened
      return failure(401, request)
    }
    const service = await world.start(next)
    await until('some are embedded', async () => (await world.vectors())[`http/${next.name}/24`])
    // Either service may process what is written, with the models that it knows of.
    await until('both know of it', async () => (await world.details(world.first)).target === `http/${next.name}`)
    // The former model is unavailable, so these memories have no vector of it.
    former.behave = request => failure(401, request)
    await world.write(['made meanwhile'], service)
    next.behave = request => failure(401, request)
    standing.open()
    former.behave = () => undefined
    const back = await world.start(former)
    await world.switched(back, former)
    expect((await search(world.clientOf(back), meaning('made meanwhile'))).texts[0]).toBe('made meanwhile')
    await world.cleaned()
    expect(await world.vectors()).toEqual({ [`http/${former.name}/16`]: 301 })
    expect(former.asked.filter(text => text === texts[0])).toHaveLength(1)
  })

  test('becomes active although it refuses some texts', async () => {
    const [former, next] = models.pair()
    const texts = numbered(40)
    const world = await EmbeddingWorld.open(former, [...texts, 'nobody can read this', 'nor can anybody read this'])
    next.behave = request =>
      request.body.input.some(text => text.includes('read this')) ? failure(400, request) : undefined
    const service = await world.start(next)
    await world.switched(service, next)
    const metrics = String((await service.anonymous.get('/metrics')).body)
    expect(metrics).toContain('mneme_reembedding_without_vector 2')
    const client = world.clientOf(service)
    expect((await search(client, 'nobody can read this', 'hybrid')).texts[0]).toBe('nobody can read this')
    expect((await search(client, meaning(texts[7] ?? ''))).texts[0]).toBe(texts[7] ?? '')
    await world.cleaned()
    expect(await world.vectors()).toEqual({ [`http/${next.name}/24`]: 40 })
  })
})

/** Has the database refuse each change of some memories' vectors by `event`. @returns ends it */
function refuse({ database }: EmbeddingWorld, event: 'insert' | 'delete', ids: readonly string[]) {
  return refuseRows(database, { table: 'search.embedding', event, where: { memory_id: ids } })
}

const held = ({ database, account }: EmbeddingWorld, sweep: string) => heldRows(database, sweep, account.workspaceId)

describe('a row that the database refuses', () => {
  test('stays without a vector, held back for all to see, while all others are embedded', async () => {
    const [former, next] = models.pair()
    const world = await EmbeddingWorld.open(former, numbered(200))
    const [bad = '', worse = ''] = await world.write(['a bad row', 'another'])
    await refuse(world, 'insert', [bad, worse])
    const service = await world.start(next)
    await world.switched(service, next)
    expect(await held(world, 'search:re-embed')).toEqual([bad, worse].toSorted())
    const metrics = String((await service.anonymous.get('/metrics')).body)
    expect(metrics).toContain('mneme_reembedding_without_vector 2')
    await world.cleaned()
    expect(await world.vectors()).toEqual({ [`http/${next.name}/24`]: 200 })
  })

  test('keeps its former vector where it cannot be deleted, while those of all others are', async () => {
    const [former, next] = models.pair()
    const world = await EmbeddingWorld.open(former, numbered(40))
    const [bad = ''] = await world.write(['a bad row'])
    await refuse(world, 'delete', [bad])
    const service = await world.start(next)
    await world.switched(service, next)
    await world.cleaned()
    expect(await held(world, 'search:clean-embeddings')).toEqual([bad])
    expect(await world.vectors()).toEqual({ [`http/${former.name}/16`]: 1, [`http/${next.name}/24`]: 41 })
  })

  test('among too many of one workspace, the workspace is held back with its former vectors until an operator gives it back', async () => {
    const [former, next] = models.pair()
    const world = await EmbeddingWorld.open(former, numbered(10))
    const bad = await world.write(numbered(30, 'bad'))
    const accept = await refuse(world, 'insert', bad)
    const service = await world.start(next)
    await until('the workspace is held back', async () => (await held(world, 'search:re-embed')).includes(''))
    await until('others are owed', async () => {
      const owed = await world.database.system(tx => tx`select from search.embedding_gap where not refused`)
      return owed.length > 0
    })
    expect((await world.details(service)).active).toBe(`http/${former.name}`)
    await accept()
    await releaseRows(world.database, 'search:re-embed', world.account.workspaceId)
    await world.switched(service, next)
    expect((await world.vectors())[`http/${next.name}/24`]).toBeGreaterThanOrEqual(40 - 21)
  })
})

describe('while a model is unavailable', () => {
  test('the new one: searches and writes continue, /ready gives the reason, and re-embedding completes after the outage', async () => {
    const [former, next] = models.pair()
    const texts = numbered(40)
    const world = await EmbeddingWorld.open(former, texts)
    next.behave = request => failure(401, request)
    const service = await world.start(next, { EMBEDDINGS_DIMENSIONS: '24' })
    const client = world.clientOf(service)
    await until('the failure is told', async () => (await world.details(service)).problem)
    expect((await world.details(service)).problem).toBe('the embeddings endpoint answered with status 401')
    const readiness = await service.anonymous.get('/ready')
    expect([readiness.status, readiness.body.checks.embeddings, readiness.body.checks.embedder]).toEqual([
      200,
      'degraded',
      'degraded',
    ])
    await world.write(['made meanwhile'], service)
    for (const text of ['made meanwhile', texts[3] ?? '']) {
      const found = await search(client, meaning(text))
      expect([found.texts[0], found.warning]).toEqual([text, undefined])
    }
    next.behave = () => undefined
    await world.switched(service, next)
    for (const text of ['made meanwhile', texts[3] ?? '']) {
      expect((await search(client, meaning(text))).texts[0]).toBe(text)
    }
  })

  test('the former one: searches match by words, and by meaning among memories of the new one, with a warning', async () => {
    const [former, next] = models.pair()
    const texts = numbered(40)
    const world = await EmbeddingWorld.open(former, [...texts, 'nobody can read this'])
    const slow = gate()
    next.behave = request => (request.body.input.includes('nobody can read this') ? heldBack(slow) : undefined)
    former.behave = request => failure(401, request)
    const service = await world.start(next)
    const client = world.clientOf(service)
    // Either service may process what is written, with the models that it knows of.
    await until('both know of it', async () => (await world.details(world.first)).target === `http/${next.name}`)
    await world.write(['made meanwhile'], service)
    const [text = ''] = texts
    const hybrid = await search(client, text, 'hybrid')
    expect(hybrid.texts[0]).toBe(text)
    expect(hybrid.warning).toContain('by words only')
    const semantic = await search(client, meaning('made meanwhile'))
    expect(semantic.texts[0]).toBe('made meanwhile')
    expect(semantic.warning).toContain('has embedded so far')
    slow.open()
    await world.switched(service, next)
    const after = await search(client, meaning(text))
    expect([after.texts[0], after.warning]).toEqual([text, undefined])
  })
})
