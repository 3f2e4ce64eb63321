import { expect, test } from 'bun:test'
import { Counter, Gauge, Registry } from 'prom-client'
import { createLog } from '../log.ts'
import { wholeRegistry } from '../metrics.ts'
import { PluginMetrics } from './plugin-metrics.ts'

function open() {
  const shared = new Registry()
  new Counter({ name: 'requests_total', help: 'Of the core.', registers: [shared] })
  return { shared, metrics: new PluginMetrics(shared, createLog('silent'), 20) }
}

const counter = (name: string, registry: Registry) => new Counter({ name, help: 'x', registers: [registry] })

test("a plugin's metrics are shown with the others', and it reaches its own only", async () => {
  const { shared, metrics } = open()
  const [weather, tides] = [metrics.for('weather'), metrics.for('tides')]
  counter('weather_rains_total', weather).inc(3)
  counter('tides_total', tides).inc()
  expect(await shared.metrics()).toContain('weather_rains_total 3')
  expect(await weather.metrics()).not.toContain('tides_total')
  tides.removeSingleMetric('weather_rains_total')
  tides.clear()
  const left = await shared.metrics()
  expect([left.includes('weather_rains_total'), left.includes('tides_total')]).toEqual([true, false])
  expect(wholeRegistry(weather)).toBe(shared)
})

test('a name that is taken is refused with both names', () => {
  const { metrics } = open()
  const [weather, tides] = [metrics.for('weather'), metrics.for('tides')]
  counter('sightings_total', weather)
  expect(() => counter('sightings_total', tides)).toThrow(
    'plugin tides: registers the metric sightings_total that weather has registered already; name it tides_…, once',
  )
  expect(() => counter('sightings_total', weather)).toThrow(
    'plugin weather: registers the metric sightings_total twice;',
  )
  expect(() => counter('requests_total', tides)).toThrow('that the core has registered already')
})

test('one that cannot be collected takes nothing from the others', async () => {
  const { shared, metrics } = open()
  const weather = metrics.for('weather')
  const collect = [
    () => {
      throw new Error('no barometer')
    },
    () => Promise.reject(new Error('no barometer')),
    () => new Promise<void>(() => undefined),
  ]
  for (const [n, broken] of collect.entries()) {
    new Gauge({ name: `weather_${n}`, help: 'x', registers: [weather], collect: broken })
  }
  const own = new Gauge({
    name: 'weather_pressure',
    help: 'x',
    registers: [weather],
    collect() {
      this.set(1013)
    },
  })
  expect(own).toBeDefined()
  expect(await shared.metrics()).toContain('weather_pressure 1013')
})
