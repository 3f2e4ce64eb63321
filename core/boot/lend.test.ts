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
  const lent = lend('counter', new Counter(), ['add', 'unit'])
  expect([lent.add(), lent.add(), lent.unit]).toEqual([1, 2, 'calls'])
  expect(lent.add).toBe(lent.add)
})

test('a lent service cannot be changed or ended', () => {
  const own = new Counter()
  const lent = lend('counter', own, ['add', 'unit'])
  const message = 'counter is shared by all plugins and may not be changed'
  expect(() => Object.assign(lent, { add: () => 7 })).toThrow(message)
  expect(() => Reflect.deleteProperty(lent, 'add')).toThrow(message)
  expect(() => Object.defineProperty(lent, 'add', { value: 7 })).toThrow(message)
  expect(() => Reflect.get(lent, 'close')).toThrow("counter.close() is the kernel's to call")
  expect(own.add()).toBe(1)
})
