import { describe, expect, test } from 'bun:test'
import { controlPlane } from '../../test/support/control-plane.ts'
import { gate } from '../../test/support/gate.ts'
import { enqueue, hurry, rowsOf, startRunner, testTask } from '../../test/support/jobs.ts'
import { until } from '../../test/support/wait.ts'
import { type Share, Shares, shareOf } from './shares.ts'

interface Parts {
  readonly name?: string
  readonly priority?: number
  readonly perProcessMax?: number
}

function open(places: number) {
  const clock = { now: 0 }
  const freed: string[] = []
  const shares = new Shares(
    places,
    owner => freed.push(owner),
    () => clock.now,
  )
  let id = 0
  const held: (() => void)[] = []
  /** Takes in as many jobs, and records whether each found a place, or when it comes again. */
  const take = (count: number, owner: string | undefined, parts: Parts = {}) =>
    Array.from({ length: count }, () => {
      const { name = `${owner}:work`, priority = 0, ...limit } = parts
      const share: Share = shares.take({ name, ...limit }, { id: String(++id), priority }, owner)
      if ('retryInMs' in share) {
        share.standInLine('later')
        return share.retryInMs
      }
      held.push(share.leave)
      return 'runs'
    })
  const leaveAll = () => {
    for (const leave of held.splice(0)) leave()
  }
  return { clock, take, leaveAll, shares, freed }
}

const runs = (count: number): 'runs'[] => Array.from({ length: count }, () => 'runs')

describe('The jobs of one plugin', () => {
  test('leave a quarter of the places to others, to the kernel all of them', () => {
    const { take } = open(8)
    expect(take(7, 'weather')).toEqual([...runs(6), 100])
    expect(take(2, 'tides')).toEqual(runs(2))
    expect(take(20, undefined, { name: 'core:sweep' })).toEqual(runs(20))
    expect([1, 2, 3, 4, 16, 64].map(shareOf)).toEqual([1, 1, 2, 3, 12, 48])
  })

  test('of all its tasks together count, and each of them as its own limit says', () => {
    const { take } = open(8)
    expect(take(3, 'weather', { name: 'weather:ask', perProcessMax: 2 })).toEqual([...runs(2), 100])
    expect(take(5, 'weather', { name: 'weather:tell' })).toEqual([...runs(4), 100])
  })

  test('have all places while they are quick, and no longer once they are not', () => {
    const { clock, take, leaveAll } = open(4)
    expect(take(4, 'weather')).toEqual([...runs(3), 100])
    clock.now += 20
    leaveAll()
    expect(take(4, 'weather')).toEqual(runs(4))
    clock.now += 100
    expect(take(1, 'weather')).toEqual([100])
  })

  test('come again one after the other, in the time that those before them take, within a minute', () => {
    const { clock, take, leaveAll } = open(4)
    take(3, 'weather')
    clock.now += 3000
    leaveAll()
    take(3, 'weather')
    expect(take(4, 'weather')).toEqual([1000, 2000, 3000, 4000])
    clock.now += 2000
    expect(take(1, 'weather')).toEqual([3000])
    const last = take(100, 'weather').at(-1)
    expect(last).toBe(60_000)
  })

  test('are next in line as soon as there is a place for them, within the limits of their tasks', () => {
    const { take, leaveAll, shares, freed } = open(8)
    take(6, 'weather')
    take(2, 'weather')
    take(3, 'weather', { name: 'weather:ask', perProcessMax: 1 })
    const next = () => shares.next('weather').map(({ id }) => id)
    expect({ next: next(), freed }).toEqual({ next: [], freed: [] })
    leaveAll()
    expect(freed[0]).toBe('weather')
    expect(next()).toEqual(['7', '8', '9'])
    expect(next()).toEqual(['10'])
    expect(take(1, 'weather')).toEqual(['runs'])
    expect(next()).toEqual(['11'])
  })

  test('get the next places by urgency, whichever of its tasks came first', () => {
    const { take, leaveAll, shares } = open(8)
    take(6, 'weather')
    take(6, 'weather', { priority: 5 })
    take(2, 'weather', { name: 'weather:ask' })
    leaveAll()
    expect(shares.next('weather').map(({ id }) => id)).toEqual(['13', '14', '7', '8', '9', '10'])
  })

  test('that are urgent stand in line also where a multitude of others does', () => {
    const { take, leaveAll, shares } = open(8)
    take(6, 'weather')
    take(6000, 'weather', { priority: 5 })
    take(2, 'weather', { name: 'weather:ask' })
    leaveAll()
    const next = shares.next('weather').map(({ id }) => id)
    // The two that were to come again soonest made room for them.
    expect(next).toEqual(['6007', '6008', '9', '10', '11', '12'])
  })
})

test('a plugin that fills the queue with long jobs leaves places to another, and its jobs all run in the end', async () => {
  const { storage } = await controlPlane()
  const { open, opened } = gate()
  let [running, most] = [0, 0]
  const flood = testTask({
    async run() {
      most = Math.max(most, ++running)
      await opened
      running--
    },
  })
  const ran: number[] = []
  const other = testTask({ run: async ({ payload }) => void ran.push(payload.n) })
  await enqueue(storage.database, ...Array.from({ length: 30 }, (_, n) => ({ task: flood.name, payload: { n } })))
  const tasks = [
    { task: flood, owner: 'weather', scope: null },
    { task: other, owner: 'tides', scope: null },
  ]
  const runner = await startRunner(storage, flood, { tasks })
  try {
    await until('its share is full', async () => running === 3)
    await enqueue(storage.database, { task: other.name, payload: { n: 7 } })
    await until('the other one ran beside them', async () => ran.length === 1)
    const share = most
    open()
    const left = () => rowsOf(storage.database, flood.name)
    await until('all are done', async () => {
      await hurry(storage.database, flood.name)
      return (await left()).length === 0
    })
    expect({ share, ran }).toEqual({ share: 3, ran: [7] })
  } finally {
    open()
    await runner.stop(500)
  }
})
