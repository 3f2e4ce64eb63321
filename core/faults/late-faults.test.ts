import { expect, test } from 'bun:test'
import { Registry } from 'prom-client'
import { createLog, type Logger } from '../log.ts'
import { asPlugin } from './attribution.ts'
import { LateFaults } from './late-faults.ts'

function open() {
  const lines: string[] = []
  const log: Logger = Object.assign(Object.create(createLog('silent')), {
    error: (_: object, line: string) => lines.push(line),
  })
  const clock = { now: Date.UTC(2030, 0, 1) }
  const registry = new Registry()
  const faults = new LateFaults(log, () => clock.now)
  const fail = (plugin: string) => asPlugin(plugin, () => faults.take('broken', 'rejection'))
  return { lines, log, clock, registry, faults, fail }
}

test("a plugin's fault is logged with its name, counted, and shown for an hour", async () => {
  const { lines, log, clock, registry, faults, fail } = open()
  expect(fail('weather')).toBe(true)
  // Faults from before the kernel existed are counted, too.
  faults.report(log, registry)
  clock.now += 60_000
  fail('weather')
  expect(lines).toEqual(Array(2).fill('plugin weather: a promise that nobody awaits was rejected'))
  expect(await registry.metrics()).toContain('plugin_faults_total{plugin="weather"} 2')
  expect(faults.recent()).toEqual([{ plugin: 'weather', count: 2, lastAt: new Date('2030-01-01T00:01:00Z') }])
  clock.now += 3_600_000
  expect(faults.recent()).toHaveLength(1)
  clock.now += 1
  expect(faults.recent()).toEqual([])
})

test('a fault of the kernel is handed back, and one that nothing names is told as such', () => {
  const { lines, faults } = open()
  const error = new Error('broken')
  error.stack = `Error: broken\n    at flush (${new URL('../usage/usage-meter.ts', import.meta.url).pathname}:1:1)`
  expect(faults.take(error, 'exception')).toBe(false)
  expect(faults.take(undefined, 'rejection')).toBe(true)
  expect(lines).toEqual(['a plugin that cannot be told: a promise that nobody awaits was rejected'])
})

test('a plugin that fails in a circle fills no disk, and silences no other', () => {
  const { lines, clock, faults, fail } = open()
  for (let n = 0; n < 1000; n++) fail('weather')
  fail('tides')
  expect(lines).toHaveLength(11)
  expect(lines[9]).toEndWith('further ones of this minute are counted only')
  expect(faults.recent().map(({ count }) => count)).toEqual([1000, 1])
  clock.now += 60_000
  fail('weather')
  expect(lines).toHaveLength(12)
})
