import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '../support/wait.ts'
import { brittlePlugin, meddlerPlugin, modestPlugin, restlessPlugin } from './cases/parts-of-plugins.ts'
import { startWith, type World } from './world.ts'

const done: string[] = []
let world: World

beforeAll(async () => {
  world = await startWith([modestPlugin(done), brittlePlugin, meddlerPlugin, restlessPlugin])
}, 120_000)

afterAll(() => world.stop())

const told = (text: string) => world.lines.some(line => line.includes(text))
const store = (memory: string) => world.client.post('/v1/memories', { memory })

describe('hooks and filters that return nonsense', () => {
  test('a review without verdicts stores nothing, says that it is not the caller, and leaves other memories alone', async () => {
    const refused = await store('rogue nonsense')
    expect([refused.status, refused.body.error_code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(told('"plugin":"meddler"')).toBe(true)
    expect((await store('The tide is out.')).status).toBe(201)
  })

  test('a hook that throws in the middle of a write stores nothing, and is named', async () => {
    const failed = await store('rogue write')
    expect([failed.status, failed.body.error_code]).toEqual([500, 'INTERNAL_ERROR'])
    expect(told('the pen is dry')).toBe(true)
    expect((await world.client.get('/v1/memories', { query: { search: 'rogue' } })).body.total).toBe(0)
  })

  test('a hook that its plugin froze is called as any other', async () => {
    const before = done.filter(what => what === 'created').length
    expect((await store('The ice holds.')).status).toBe(201)
    expect(done.filter(what => what === 'created')).toHaveLength(before + 1)
  })

  test.each(['odd', 'none', 'many', 'mixed', 'raging'])(
    'the filter %s fails its own requests only, and is named',
    async name => {
      const { status, body } = await world.client.get('/v1/memories', { query: { [name]: 'x' } })
      expect([status, body.error_code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
      expect(body.message).toContain(`The filter ${name} of the plugin meddler is not available`)
      expect((await world.client.get('/v1/memories')).status).toBe(200)
    },
  )

  test('fields that are late, broken, huge, of the wrong type or no JSON are left out, and the others stay', async () => {
    const { body: created } = await store('The kettle is on.')
    const { status, body } = await world.client.get(`/v1/memories/${created.id}`)
    expect({ status, extensions: body.extensions }).toEqual({ status: 200, extensions: { meddler: { well: 7 } } })
    const list = await world.client.get('/v1/memories')
    expect(
      list.body.data.every((memory: { extensions: unknown }) =>
        Bun.deepEquals(memory.extensions, { meddler: { well: 7 } }),
      ),
    ).toBe(true)
    for (const name of ['big', 'circle', 'huge', 'wrong', 'late', 'broken'])
      expect(told(`"field":"${name}"`)).toBe(true)
  })
})

describe('parts that run by themselves', () => {
  test('health checks that hang, throw or say odd things are answered in time, bounded, and named', async () => {
    const { checks, details, status } = await world.ready()
    // A plugin that lacks something is no reason to send all requests elsewhere.
    expect(status).toBe('ready')
    expect(checks).toMatchObject({
      database: 'ok',
      'restless:hangs': 'degraded',
      'restless:throws': 'degraded',
      'restless:odd': 'ok',
      'restless:silent': 'ok',
    })
    expect(details['restless:odd']).toEqual({ text: 'x'.repeat(300), left: 3 })
    expect(world.said()).toContain(
      'plugin restless: the health check restless:hangs failed: it did not answer within 2000 ms',
    )
    expect(world.said()).toContain('plugin restless: the health check restless:throws failed: the pulse is gone')
    expect(world.said()).toContain('plugin restless: the health check restless:silent has no details')
  })

  test('metrics that hang or throw leave the others there', async () => {
    expect(await world.metric('http_server_request_duration_seconds_count')).toBeDefined()
    expect(world.said()).toContain('plugin restless: the metric restless_throws could not be collected')
    expect(world.said()).toContain('plugin restless: the metric restless_hangs could not be collected')
  })

  test('chores that throw come again, and one that hangs is not begun twice', async () => {
    const failures = () => world.said().filter(line => line === 'plugin restless: the chore throw failed').length
    const before = failures()
    await until('it failed again', async () => failures() > before + 1)
    expect(world.said().some(line => line.includes('the chore hang failed'))).toBe(false)
  })
})

test('a stop that hangs and one that throws are named, and all others are stopped, the database last', async () => {
  await until('the modest one heard of the memories', async () => done.includes('heard'))
  await world.stop()
  expect(world.said()).toContainEqual(
    expect.stringMatching(/^plugin restless: stop did not end within [\d.]+ s; the others are stopped without it$/),
  )
  expect(world.said()).toContain('plugin brittle: stop failed; the others are stopped all the same')
  expect(world.said()).toContain('plugin restless: the chore hang did not end at the stop')
  expect(done.at(-1)).toBe('stopped')
  expect(world.said().some(line => line.startsWith('the database could not be stopped'))).toBe(false)
}, 60_000)
