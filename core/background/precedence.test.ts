import { describe, expect, test } from 'bun:test'
import { Precedence } from './precedence.ts'

/** This rest is longer than any test lasts. */
const FOR_EVER = { restShare: 1e9, restMaxMs: 3_600_000, pieceMaxMs: 3_600_000 }

/** Makes a request that is under way until it is answered. */
function request(precedence: Precedence) {
  const { promise, resolve } = Promise.withResolvers<string>()
  return { answer: resolve, answered: precedence.request(promise) }
}

/** Keeps the thread busy, so that a rest has to follow. */
async function busy(): Promise<void> {
  const end = performance.now() + 2
  while (performance.now() < end);
}

/** Waits until everything that begins by itself has begun. */
async function turns(): Promise<void> {
  for (let n = 0; n < 20; n++) await new Promise(resolve => setImmediate(resolve))
}

describe('Work in the background', () => {
  test('begins at once and all together while there are no requests', async () => {
    const precedence = new Precedence(FOR_EVER)
    const { promise: together, resolve } = Promise.withResolvers<void>()
    let begun = 0
    const piece = () => {
      if (++begun === 3) resolve()
      return together
    }
    await Promise.all([precedence.run(piece), precedence.run(piece), precedence.run(piece)])
    expect(begun).toBe(3)
  })

  test('waits while a request is under way, and goes on when it is answered', async () => {
    const precedence = new Precedence(FOR_EVER)
    await precedence.run(busy)
    const { answer, answered } = request(precedence)
    let begun = false
    const piece = precedence.run(async () => {
      begun = true
      return 'done'
    })
    await turns()
    expect(begun).toBe(false)
    answer('answer')
    expect(await answered).toBe('answer')
    expect(await piece).toBe('done')
  })

  test('waits for the last of several requests', async () => {
    const precedence = new Precedence(FOR_EVER)
    await precedence.run(busy)
    const [one, other] = [request(precedence), request(precedence)]
    let begun = false
    const piece = precedence.run(async () => {
      begun = true
    })
    one.answer('')
    await one.answered
    await turns()
    expect(begun).toBe(false)
    other.answer('')
    await piece
  })

  test('is done piece by piece, in order, while requests never end', async () => {
    const precedence = new Precedence({ ...FOR_EVER, restMaxMs: 3 })
    request(precedence)
    const order: string[] = []
    const piece = (name: string) =>
      precedence.run(async () => {
        order.push(`${name} begins`)
        await turns()
        order.push(`${name} ends`)
      })
    await Promise.all(['a', 'b', 'c'].map(piece))
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  })

  test('does not wait for a piece that never ends', async () => {
    const precedence = new Precedence({ pieceMaxMs: 3 })
    request(precedence)
    void precedence.run(() => new Promise(() => undefined))
    expect(await precedence.run(async () => 'done')).toBe('done')
  })

  test('waits for no request that goes on for ever', async () => {
    const precedence = new Precedence({ ...FOR_EVER, requestMaxMs: 0 })
    request(precedence)
    await precedence.run(busy)
    expect(await precedence.run(async () => 'done')).toBe('done')
  })

  test('goes on after a piece that fails, whose error its caller gets', async () => {
    const precedence = new Precedence({ ...FOR_EVER, restMaxMs: 3 })
    request(precedence)
    const failing = precedence.run(async () => {
      throw new Error('in the middle')
    })
    expect(failing).rejects.toThrow('in the middle')
    expect(await precedence.run(async () => 'done')).toBe('done')
  })

  test('counts a request that fails as answered', async () => {
    const precedence = new Precedence(FOR_EVER)
    await precedence.run(busy)
    const { promise, reject } = Promise.withResolvers<string>()
    const answered = precedence.request(promise)
    const piece = precedence.run(async () => 'done')
    reject(new Error('no answer'))
    expect(answered).rejects.toThrow('no answer')
    expect(await piece).toBe('done')
  })
})
