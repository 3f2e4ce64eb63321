import { expect, test } from 'bun:test'
import { createLog } from '../log.ts'
import type { AnyPlugin } from '../plugin.ts'
import { Shutdown } from './shutdown.ts'

const plugin = (id: string) => ({ id }) as AnyPlugin
const hang = () => new Promise<void>(() => undefined)

test('a stop that hangs, throws or rejects keeps none of the others from being stopped, and is named', async () => {
  const lines: string[] = []
  const log = Object.assign(Object.create(createLog('silent')), {
    warn: () => undefined,
    error: (first: unknown, second?: string) => lines.push(second ?? String(first)),
  })
  const stopped: string[] = []
  const shutdown = new Shutdown(log, 0)
  await shutdown.plugins([
    { plugin: plugin('first'), parts: { scope: null, stop: async () => void stopped.push('first') } },
    { plugin: plugin('none'), parts: { scope: null } },
    { plugin: plugin('hangs'), parts: { scope: null, stop: hang } },
    {
      plugin: plugin('throws'),
      parts: {
        scope: null,
        stop() {
          throw new Error('no')
        },
      },
    },
    { plugin: plugin('rejects'), parts: { scope: null, stop: () => Promise.reject('no') } },
    { plugin: plugin('last'), parts: { scope: null, stop: async () => void stopped.push('last') } },
  ])
  await shutdown.step('the database', async () => void stopped.push('database'))
  expect(stopped).toEqual(['last', 'first', 'database'])
  expect(lines).toEqual([
    'plugin rejects: stop failed; the others are stopped all the same',
    'plugin throws: stop failed; the others are stopped all the same',
    'plugin hangs: stop did not end within 0.2 s; the others are stopped without it',
  ])
})

test('a step that fails, or hangs past its limit, is followed by the next', async () => {
  const shutdown = new Shutdown(createLog('silent'), 0)
  let closed = false
  await shutdown.step('requests', () => Promise.reject(new Error('no')))
  await shutdown.step('chores', hang, 10)
  await shutdown.step('the database', () => {
    closed = true
  })
  expect(closed).toBe(true)
})
