import { describe, expect, test } from 'bun:test'
import { Registry } from 'prom-client'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { type Acquiring, measureSemaphores, Semaphore, type SemaphoreOptions } from './semaphore.ts'

/** Lets promises settle that wait for nothing else. */
const turns = () => new Promise(resolve => setImmediate(resolve))

/** Work whose ends are up to the test. */
function world(limits: Partial<SemaphoreOptions>) {
  const clock = new ManualClock()
  const semaphore = new Semaphore({ clock, refuse: why => new Error(why), ...limits })
  const [begun, refused]: [string[], string[]] = [[], []]
  const ends = new Map<string, (error?: Error) => void>()
  const request = (name: string, key = 'a', asked: Acquiring = {}) => {
    const work = () =>
      new Promise<void>((resolve, reject) => {
        begun.push(name)
        ends.set(name, error => (error ? reject(error) : resolve()))
      })
    semaphore.run(key, asked, work).catch(error => void refused.push(`${name} ${error.message}`))
  }
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error)
    await turns()
  }
  return { clock, semaphore, begun, refused, request, end }
}

describe('permits of one key', () => {
  test('are bounded, and the rest run in the order they came, failures or not', async () => {
    const { request, begun, end, semaphore } = world({ perKey: 2 })
    for (const name of ['1', '2', '3', '4', '5']) request(name)
    await turns()
    expect(begun).toEqual(['1', '2'])
    expect(semaphore).toMatchObject({ running: 2, waiting: 3 })
    await end('2')
    expect(begun).toEqual(['1', '2', '3'])
    await end('3', new Error('broken'))
    expect(begun).toEqual(['1', '2', '3', '4'])
    for (const name of ['1', '4', '5']) await end(name)
    expect(semaphore).toMatchObject({ running: 0, waiting: 0, refused: 0 })
  })

  test('lapse when their work goes on for ever, and only once', async () => {
    const { request, begun, end, clock, semaphore } = world({ perKey: 1, heldMs: 900 })
    for (const name of ['1', '2', '3']) request(name)
    await turns()
    clock.advance(900)
    await turns()
    expect(begun).toEqual(['1', '2'])
    await end('1')
    expect(begun).toEqual(['1', '2'])
    for (const name of ['2', '3']) await end(name)
    expect([begun, semaphore.running, clock.waiting]).toEqual([['1', '2', '3'], 0, 0])
  })

  test('rest for as long as they are given back for', async () => {
    const { request, begun, semaphore, clock } = world({ perKey: 1 })
    const release = await semaphore.acquire('a')
    release(900)
    request('1')
    clock.advance(899)
    await turns()
    expect(begun).toEqual([])
    clock.advance(1)
    await turns()
    expect(begun).toEqual(['1'])
  })

  test('are refused beyond the queue, after the longest wait, and to whoever went away', async () => {
    const { request, refused, begun, end, clock, semaphore } = world({ perKey: 1, waitingPerKeyMax: 2, waitMs: 1000 })
    const client = new AbortController()
    request('1')
    request('late')
    request('gone', 'a', { signal: () => client.signal })
    request('full')
    await turns()
    expect(refused).toEqual(['full full'])
    client.abort()
    clock.advance(999)
    request('patient')
    await turns()
    expect(refused).toEqual(['full full', 'gone aborted'])
    clock.advance(1)
    // Ends at the very moment in which the other one is refused.
    await end('1')
    expect([refused.at(-1), begun]).toEqual(['late late', ['1', 'patient']])
    await end('patient')
    expect(semaphore).toMatchObject({ running: 0, waiting: 0, refused: 3 })
    expect(clock.waiting).toBe(0)
  })
})

describe('permits of several keys', () => {
  test('never wait for each other without a bound in all', async () => {
    const { request, begun } = world({ perKey: 1 })
    for (let n = 0; n < 10; n++) request(`flood ${n}`)
    request('other', 'b')
    await turns()
    expect(begun).toEqual(['flood 0', 'other'])
  })

  test('have turns where there is a bound in all', async () => {
    const { request, begun, end } = world({ total: 1, waitingMax: 6 })
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) request(name, name[0])
    await turns()
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) await end(name)
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  test('may be narrowed by a condition, which is asked again where something changes', async () => {
    const open = { now: false }
    const { request, begun, semaphore } = world({ total: 3, admits: ({ own, keys }) => open.now && own < 3 - keys })
    for (const name of ['a1', 'a2', 'b1']) request(name, name[0])
    await turns()
    expect(begun).toEqual([])
    open.now = true
    semaphore.look()
    await turns()
    expect(begun).toEqual(['a1', 'b1'])
  })
})

test('places have a bound whoever asks, and nobody waits behind one that has no room', async () => {
  const { request, begun, end, semaphore } = world({ total: 4, perPlace: 1 })
  for (const [name, key, place] of [
    ['1', 'a', 'x'],
    ['2', 'a', 'x'],
    ['3', 'a', 'y'],
    ['4', 'b', 'x'],
  ] as const)
    request(name, key, { place })
  await turns()
  expect([begun, semaphore.runningAt('x')]).toEqual([['1', '3'], 1])
  await end('1')
  expect(begun).toEqual(['1', '3', '4'])
  await end('4')
  expect(begun).toEqual(['1', '3', '4', '2'])
})

describe('classes', () => {
  const classes = { urgent: { inRowMax: 2 }, job: { leaves: 1 } }

  test('go by urgency, and every so often the others first', async () => {
    const { request, begun, end } = world({ total: 2, perKey: 1, classes: { ...classes, job: {} } })
    request('0')
    for (const n of [1, 2, 3, 4]) request(`job ${n}`, 'a', { of: 'job' })
    for (const n of [1, 2, 3, 4]) request(`urgent ${n}`, 'a', { of: 'urgent' })
    await turns()
    for (const name of ['0', 'urgent 1', 'urgent 2', 'job 1', 'urgent 3']) await end(name)
    expect(begun).toEqual(['0', 'urgent 1', 'urgent 2', 'job 1', 'urgent 3', 'urgent 4'])
  })

  test('have bounds of their own, and leave permits to others', async () => {
    const left = world({ total: 2, classes })
    for (const n of [1, 2]) left.request(`job ${n}`, 'a', { of: 'job' })
    left.request('urgent', 'a', { of: 'urgent' })
    const bounded = world({ total: 3, classes: { urgent: {}, job: { max: 1 } } })
    for (const n of [1, 2]) bounded.request(`job ${n}`, 'a', { of: 'job' })
    bounded.request('urgent', 'b', { of: 'urgent' })
    await turns()
    expect([left.begun, bounded.begun]).toEqual([
      ['job 1', 'urgent'],
      ['job 1', 'urgent'],
    ])
  })

  test('that nobody knows are a mistake', () => {
    expect(() => world({ classes }).semaphore.tryAcquire('a', 'unknown')).toThrow('there is no class unknown')
  })
})

test('a permit that is tried for is there or not, and behind those that wait', async () => {
  const { semaphore, request } = world({ perKey: 1 })
  const release = semaphore.tryAcquire('a')
  expect(release).toBeDefined()
  expect(semaphore.tryAcquire('a')).toBeUndefined()
  request('waits')
  release?.()
  release?.()
  expect(semaphore.running).toBe(1)
  expect(semaphore.tryAcquire('a')).toBeUndefined()
})

test('metrics show limits and use by name, and nothing of the keys', async () => {
  const registry = new Registry()
  const { semaphore, request, end } = world({ perKey: 1, waitingPerKeyMax: 1 })
  measureSemaphores(registry, { bulk: semaphore, system: { options: { perKey: 4 }, running: 3, waiting: 2 } })
  for (const name of ['1', '2', '3']) request(name, 'secret-workspace')
  await turns()
  const lines = (await registry.metrics()).split('\n')
  for (const line of [
    'mneme_share_limit{class="bulk",state="running"} 1',
    'mneme_share_limit{class="system",state="running"} 4',
    'mneme_share_used{class="bulk",state="running"} 1',
    'mneme_share_used{class="bulk",state="waiting"} 1',
    'mneme_share_used{class="system",state="waiting"} 2',
    'mneme_share_refused_total{class="bulk"} 1',
  ])
    expect(lines).toContain(line)
  expect(lines.join('\n')).not.toContain('secret-workspace')
  for (const name of ['1', '2']) await end(name)
  expect(await registry.metrics()).toContain('mneme_share_used{class="bulk",state="running"} 0')
})
