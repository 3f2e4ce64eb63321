import { expect, test } from 'bun:test'
import { ReadingPlaces } from './reading-places.ts'

test('a workspace that was refused a place has the next one before others that come later or again', () => {
  const places = new ReadingPlaces(1)
  const release = places.tryTake('a')
  expect(release).toBeDefined()
  expect([places.tryTake('b'), places.tryTake('c')]).toEqual([undefined, undefined])
  release?.()
  release?.()
  expect([places.tryTake('a'), places.tryTake('c')]).toEqual([undefined, undefined])
  const second = places.tryTake('b')
  expect(second).toBeDefined()
  second?.()
  expect(places.tryTake('a')).toBeUndefined()
  expect(places.tryTake('c')).toBeDefined()
})

test('a place is kept for nobody who does not ask again', () => {
  let now = 0
  const places = new ReadingPlaces(1, () => now)
  const release = places.tryTake('a')
  expect(places.tryTake('b')).toBeUndefined()
  release?.()
  now = 6_000
  expect(places.tryTake('a')).toBeDefined()
})

test('a reading alone waits for others to end, and others wait for it', () => {
  const places = new ReadingPlaces(2)
  const release = places.tryTake('a')
  expect(places.tryTake('b', true)).toBeUndefined()
  // Nobody gets before it, nor do other documents of its workspace.
  expect([places.tryTake('b'), places.tryTake('c')]).toEqual([undefined, undefined])
  release?.()
  const alone = places.tryTake('b', true)
  expect(alone).toBeDefined()
  expect(places.tryTake('c')).toBeUndefined()
  alone?.()
  expect([places.tryTake('b'), places.tryTake('c')].every(Boolean)).toBe(true)
})

test('a small document does not wait for large ones, and takes none of their turns', () => {
  const places = new ReadingPlaces(1)
  const alone = places.tryTake('a', true)
  expect(places.tryTake('b')).toBeUndefined()
  const small = places.tryTake('c', false, true)
  expect(small).toBeDefined()
  // A second one waits as any other does.
  expect(places.tryTake('d', false, true)).toBeUndefined()
  small?.()
  small?.()
  expect(places.tryTake('d', false, true)).toBeDefined()
  expect(places.tryTake('e', false, true)).toBeUndefined()
  alone?.()
  expect(places.tryTake('e')).toBeUndefined()
  expect(places.tryTake('b')).toBeDefined()
})
