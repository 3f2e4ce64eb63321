import { expect, test } from 'bun:test'
import { Registry } from 'prom-client'
import { startService } from '../../test/support/service.ts'
import { until } from '../../test/support/wait.ts'
import { createLog } from '../log.ts'
import { BoundedCache } from './bounded-cache.ts'
import { dropCaches, held, heldByName } from './holdings.ts'
import { memoryLimit } from './memory-limit.ts'
import { MemoryWatch } from './memory-watch.ts'

const MB = 1024 ** 2

/** A watch over a process whose memory and clock the test sets. */
function watched(limit = 100) {
  const state = { bytes: 50, now: 0 }
  const registry = new Registry()
  const watch = new MemoryWatch({
    limit,
    log: createLog('silent'),
    registry,
    read: () => state.bytes,
    now: () => state.now,
  })
  const look = (bytes: number) => {
    state.bytes = bytes
    watch.look()
  }
  const refused = (kind: 'light' | 'heavy' | 'bulk' | 'upload') => {
    try {
      watch.admit(kind)
      return false
    } catch {
      return true
    }
  }
  return { state, registry, watch, look, refused }
}

test('above the limit caches are emptied and heavy work is refused, until memory is well below it', () => {
  const cache = new BoundedCache<{ n: number }>({ name: 'test.emptied', max: 10, maxBytes: 10_000 })
  const buffer = held({ name: 'test.buffer', maxBytes: 10, bytes: () => 7 })
  cache.set('a', { n: 1 })
  const { look, refused, watch } = watched()
  look(100)
  expect([watch.isShort, cache.get('a')]).toEqual([false, { n: 1 }])
  look(101)
  expect([watch.isShort, cache.get('a'), heldByName().get('test.buffer')?.bytes]).toEqual([true, undefined, 7])
  expect((['light', 'heavy', 'bulk', 'upload'] as const).map(refused)).toEqual([false, true, true, true])
  look(97)
  expect(refused('heavy')).toBe(true)
  look(95)
  expect([refused('heavy'), buffer.bytes()]).toEqual([false, 7])
})

test('young garbage is collected whenever memory has grown by more than 64 MB over what was left, and all of it, in other threads too, by 128', () => {
  const collections: string[] = []
  let bytes = 0
  let now = 0
  const watch = new MemoryWatch({
    limit: Number.POSITIVE_INFINITY,
    now: () => now,
    log: createLog('silent'),
    registry: new Registry(),
    read: () => bytes,
    collect: all => void collections.push(all ? 'all' : 'young'),
    collectElsewhere: () => void collections.push('elsewhere'),
  })
  const after = (megabytes: number) => {
    bytes = megabytes * MB
    watch.look()
    return collections.splice(0).join(' and ')
  }
  const none = ''
  const all = 'all and elsewhere'
  // Growth is counted from 265, where all was in use, and later from 100, where much was freed.
  expect([200, 264, 265, 265, 327, 300, 100, 165].map(after)).toEqual([
    none,
    none,
    'young',
    none,
    none,
    none,
    none,
    'young',
  ])
  // Since 100 it has grown slowly, and then from 229, where all of that was in use.
  expect([170, 228, 229, 229, 293, 294, 358].map(after)).toEqual([none, none, all, none, none, 'young', all])
  // The longer ago the last time is, the less growth is enough: of 200 MB, 25 % in two seconds, and never less than 1.25 %.
  now = 2000
  expect([200, 250, 251].map(after)).toEqual([none, none, all])
  now = 12_000
  expect([200, 210, 211].map(after)).toEqual([none, none, all])
  now = 1_000_000
  expect([200, 202, 203].map(after)).toEqual([none, none, all])
})

test('memory that stays after work is trimmed, and garbage of other threads collected, once there is nothing to do', () => {
  let now = 0
  let used = 0
  const done: string[] = []
  let bytes = 300 * MB
  const watch = new MemoryWatch({
    limit: Number.POSITIVE_INFINITY,
    now: () => now,
    processorMs: () => used,
    log: createLog('silent'),
    registry: new Registry(),
    read: () => bytes,
    trim: () => void done.push('trim'),
    collectElsewhere: () => void done.push('elsewhere'),
  })
  watch.look()
  bytes = 400 * MB
  used = 20_000
  now = 20_000
  watch.look()
  done.length = 0
  now = 29_999
  watch.look()
  expect(done).toEqual([])
  now = 30_000
  watch.look()
  expect(done).toEqual(['trim', 'elsewhere'])
})

test('above the limit all garbage is collected each ten seconds, though nothing grows', () => {
  const collected: boolean[] = []
  let now = 0
  const watch = new MemoryWatch({
    limit: 100,
    now: () => now,
    log: createLog('silent'),
    registry: new Registry(),
    read: () => 200,
    collect: all => void collected.push(all),
  })
  const counts = [0, 9_999, 10_000, 19_999, 20_000].map(at => {
    now = at
    watch.look()
    return collected.length
  })
  expect(counts).toEqual([1, 1, 2, 2, 3])
  expect(collected).toEqual([true, true, true])
})

test('one request in five seconds is let in all the same, so that nothing is refused for good', () => {
  const { state, look, refused } = watched()
  look(200)
  state.now = 4999
  expect(refused('heavy')).toBe(true)
  state.now = 5000
  expect([refused('heavy'), refused('heavy')]).toEqual([false, true])
})

test('a cache keeps to its bytes, says what it holds, and leaves with its owner', async () => {
  const cache = new BoundedCache<{ text: string }>({
    name: 'test.bytes',
    max: 1000,
    maxBytes: 64 * 1024,
    bytesOf: ({ text }) => 2 * text.length,
  })
  for (let n = 0; n < 100; n++) cache.set(`${n}`, { text: 'x'.repeat(5000) })
  const { registry } = watched()
  const shown = await registry.getSingleMetricAsString('mneme_cache_bytes')
  const [, bytes] = /mneme_cache_bytes\{cache="test.bytes"\} (\d+)/.exec(shown) ?? []
  expect(Number(bytes)).toBe(cache.bytes())
  expect(cache.bytes()).toBeGreaterThan(50_000)
  expect(cache.bytes()).toBeLessThanOrEqual(64 * 1024)
  expect(cache.get('99')).toBeDefined()
  cache.set('huge', { text: 'x'.repeat(100_000) })
  expect(cache.get('huge')).toBeUndefined()
  expect(dropCaches()).toBeGreaterThan(0)
  expect(cache.bytes()).toBe(0)
})

test('the limit is the setting, or a share of what there is', () => {
  expect(memoryLimit(512)).toBe(512 * MB)
  expect(memoryLimit(undefined, 1000 * MB)).toBe(800 * MB)
  expect(memoryLimit(undefined)).toBeGreaterThan(100 * MB)
})

test('a service that is short of memory refuses searches with 503, and serves health, readiness and single memories', async () => {
  let bytes = 100 * MB
  const service = await startService({ MEMORY_LIMIT_MB: '256' }, { memory: { read: () => bytes } })
  const { client } = await service.account()
  const made = await client.post('/v1/memories', { memory: 'The kettle sings.' })
  const search = () => client.post('/v1/memories/search', { query: 'kettle' })
  expect((await search()).status).toBe(200)
  bytes = 300 * MB
  const refused = await until('a search is refused', async () => {
    const response = await search()
    return response.status === 503 ? response : undefined
  })
  expect([refused.body.error_code, Number(refused.headers.get('retry-after')) > 0]).toEqual([
    'SERVICE_UNAVAILABLE',
    true,
  ])
  expect((await client.get(`/v1/memories/${made.body.id}`)).status).toBe(200)
  expect((await service.anonymous.get('/health')).status).toBe(200)
  const ready = await service.anonymous.get('/ready')
  expect([ready.status, ready.body.checks.memory]).toEqual([200, 'degraded'])
  bytes = 100 * MB
  await until('searches are served again', async () => (await search()).status === 200)
  expect((await service.anonymous.get('/ready')).body.checks).not.toHaveProperty('memory')
})
