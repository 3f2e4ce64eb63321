import { expect, test } from 'bun:test'
import { Places } from './places.ts'

const signal = new AbortController().signal

test('places go to who came first among those whose host has one left', async () => {
  const places = new Places({ total: 2, perHost: 1, waitingMax: 10 })
  const order: string[] = []
  const take = async (name: string, host: string) => {
    const release = await places.take(host, signal)
    order.push(name)
    return release
  }
  const first = await take('a1', 'a')
  const second = take('a2', 'a')
  const other = await take('b1', 'b')
  const third = take('c1', 'c')
  expect([places.taken, places.waiting]).toEqual([2, 2])
  other?.()
  const last = await third
  expect(order).toEqual(['a1', 'b1', 'c1'])
  first?.()
  const release = await second
  release?.()
  last?.()
  expect([places.taken, places.waiting]).toEqual([0, 0])
})

test('a place is given back once, however often that is said', async () => {
  const places = new Places({ total: 2, perHost: 2, waitingMax: 1 })
  const [one, two] = [await places.take('a', signal), await places.take('a', signal)]
  one?.()
  one?.()
  expect(places.taken).toBe(1)
  two?.()
  expect(places.taken).toBe(0)
})

test('who gives up waiting leaves no place taken and no turn behind', async () => {
  const places = new Places({ total: 1, perHost: 1, waitingMax: 1 })
  const release = await places.take('a', signal)
  const leaving = new AbortController()
  const waiting = places.take('a', leaving.signal)
  expect(await places.take('a', signal)).toBeUndefined()
  leaving.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
  expect(places.waiting).toBe(0)
  release?.()
  expect(places.taken).toBe(0)
})

test('a holder has less than half of the places that are free, and who comes then has some', async () => {
  const places = new Places({ total: 8, perHost: 8, waitingMax: 10 })
  const hosts = 'abcdefgh'.split('')
  const many = hosts.map(host => places.take(host, signal, 'many'))
  expect([places.taken, places.waiting]).toEqual([3, 5])
  const other = await places.take('x', signal, 'other')
  expect(places.taken).toBe(4)
  other?.()
  // A place that is given back goes to one who waits.
  for (const taking of many) (await taking)?.()
  expect([places.taken, places.waiting]).toEqual([0, 0])
})

test('a place that is given back lets all go whose share it makes room in', async () => {
  const places = new Places({ total: 8, perHost: 8, waitingMax: 10 })
  const take = (host: string, holder: string) => places.take(host, signal, holder)
  const [first] = await Promise.all([take('a', 'one'), take('b', 'one'), take('c', 'other'), take('d', 'other')])
  const waiting = [take('e', 'other'), take('f', 'one')]
  expect([places.taken, places.waiting]).toEqual([4, 2])
  first?.()
  expect([places.taken, places.waiting]).toEqual([5, 0])
  await Promise.all(waiting)
})
