import { describe, expect, test } from 'bun:test'
import { createLoadingCache } from './loading-cache.ts'

/** Makes a cache whose loads end when the test says so. */
function scene(max = 10) {
  const loads: { key: string; end(value: number | undefined): void; fail(error: Error): void }[] = []
  const cache = createLoadingCache<number>({
    name: 'test.values',
    max,
    ttlMs: 60_000,
    load: key => new Promise((end, fail) => loads.push({ key, end, fail })),
  })
  return { cache, loads }
}

describe('a cache that loads', () => {
  test('loads once for all who ask meanwhile, and keeps the value', async () => {
    const { cache, loads } = scene()
    const asked = [cache.get('a'), cache.get('a')]
    loads[0]?.end(0)
    expect(await Promise.all(asked)).toEqual([0, 0])
    expect([await cache.get('a'), cache.known('a'), loads.length]).toEqual([0, 0, 1])
  })

  test('keeps neither what is not there nor what failed', async () => {
    const { cache, loads } = scene()
    const [missing, failing] = [cache.get('a'), cache.get('b')]
    loads[0]?.end(undefined)
    loads[1]?.fail(new Error('away'))
    expect(await missing).toBeUndefined()
    await expect(failing).rejects.toThrow('away')
    const again = [cache.get('a'), cache.get('b')]
    for (const [index, load] of loads.slice(2).entries()) load.end(index)
    expect(await Promise.all(again)).toEqual([0, 1])
  })

  test('keeps a value for its time, and no longer', async () => {
    const clock = { now: 1000 }
    let loads = 0
    const cache = createLoadingCache<number>({
      name: 'test.values',
      max: 1,
      ttlMs: 100,
      now: () => clock.now,
      load: async () => ++loads,
    })
    expect(await cache.get('a')).toBe(1)
    clock.now += 100
    expect([await cache.get('a'), cache.known('a')]).toEqual([1, 1])
    clock.now++
    expect([cache.known('a'), await cache.get('a')]).toEqual([undefined, 2])
  })

  const ways: [way: string, forget: (cache: ReturnType<typeof scene>['cache']) => void][] = [
    ['it alone', cache => cache.forget('a')],
    ['what matches', cache => cache.forgetWhere(() => false)],
    ['everything', cache => cache.forgetAll()],
  ]
  for (const [way, forget] of ways) {
    test(`answers who waited when ${way} is forgotten meanwhile, and loads again for later callers`, async () => {
      const { cache, loads } = scene()
      const before = cache.get('a')
      forget(cache)
      const after = cache.get('a')
      loads[0]?.end(1)
      expect(await before).toBe(1)
      expect(cache.known('a')).toBeUndefined()
      loads[1]?.end(2)
      expect([await after, await cache.get('a'), loads.length]).toEqual([2, 2, 2])
    })
  }

  test('answers everybody, also when there are more at once than it keeps', async () => {
    const { cache, loads } = scene(2)
    const asked = ['a', 'b', 'c', 'd'].map(key => cache.get(key))
    for (const [index, load] of loads.entries()) load.end(index)
    expect(await Promise.all(asked)).toEqual([0, 1, 2, 3])
  })

  test('forgets what matches, and nothing else', async () => {
    const { cache, loads } = scene()
    const asked = [cache.get('a'), cache.get('b')]
    for (const [index, load] of loads.entries()) load.end(index)
    await Promise.all(asked)
    cache.forgetWhere(value => value === 1)
    expect([cache.known('a'), cache.known('b')]).toEqual([0, undefined])
  })
})
