import { expect, test } from 'bun:test'
import { LanguageModelUnavailableError } from './language-errors.ts'
import { rejection } from './language-model.conformance.ts'
import { Turns } from './turns.ts'

const NEVER = new AbortController().signal

/** Makes turns that are all taken until `end` is called. */
function busy() {
  const turns = new Turns({ concurrency: 1, waitingMax: 10, waitingCharsMax: 100 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const running = turns.run({ priority: 'background', chars: 1_000, signal: NEVER }, () => promise)
  const wait = (chars: number, signal = NEVER) =>
    turns.run({ priority: 'background', chars, signal }, async () => chars)
  const end = () => {
    resolve()
    return running
  }
  return { turns, wait, end }
}

test('prompts that wait are bounded together, and a refused one may come back', async () => {
  const { turns, wait, end } = busy()
  const waiting = [wait(60), wait(40)]
  expect(turns.holding.bytes()).toBe(200)
  expect(turns.holding.maxBytes).toBe(200)
  const refused = await rejection(wait(1))
  expect(refused).toBeInstanceOf(LanguageModelUnavailableError)
  expect(refused).toHaveProperty('retryAfterMs', 5_000)
  await end()
  expect(await Promise.all(waiting)).toEqual([60, 40])
  expect(turns.holding.bytes()).toBe(0)
  expect(await wait(1_000)).toBe(1_000)
})

test('prompts that leave the queue give their room back', async () => {
  const { turns, wait, end } = busy()
  const leaving = new AbortController()
  const left = rejection(wait(100, leaving.signal))
  leaving.abort(new Error('the caller went away'))
  expect(await left).toHaveProperty('message', 'the caller went away')
  const closed = rejection(wait(100))
  turns.close()
  expect(await closed).toBeInstanceOf(LanguageModelUnavailableError)
  expect(turns.holding.bytes()).toBe(0)
  await end()
})
