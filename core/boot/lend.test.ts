import { expect, test } from 'bun:test'
import { lend } from './contexts.ts'

class Counter {
  #count = 0
  readonly unit = 'calls'
  add(): number {
    this.#count++
    return this.#count
  }
  close(): void {
    this.#count = -1
  }
}

test('a lent service works with its private state, and its methods are the same function each time', () => {
  const lent = lend(new Counter(), ['add', 'unit'])
  expect([lent.add(), lent.add(), lent.unit]).toEqual([1, 2, 'calls'])
  expect(lent.add).toBe(lent.add)
})

test('a lent service cannot be changed or ended', () => {
  const own = new Counter()
  const lent = lend(own, ['add', 'unit'])
  expect(() => Object.assign(lent, { add: () => 7 })).toThrow(TypeError)
  expect(() => Object.defineProperty(lent, 'add', { value: 7 })).toThrow(TypeError)
  expect([Reflect.deleteProperty(lent, 'add'), Reflect.get(lent, 'close')]).toEqual([false, undefined])
  expect(own.add()).toBe(1)
})
