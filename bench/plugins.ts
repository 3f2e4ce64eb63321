/**
 * The cost of plugins that do nothing: get-one, list and create over HTTP on a server with 20 of them against one without, on native
 * Postgres, in alternating rounds. Each has a route, a subscription, a task, a health check, an intake hook and a filter.
 *
 *   BENCH_DATABASE_URL=postgres://… bun bench/plugins.ts
 */
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { temporaryFolder } from '../test/support/database.ts'
import type { Settings } from '../test/support/process.ts'
import { freshText, oneByOne, percentile, report } from './support/measure.ts'
import { type BenchService, endBench, startBenchService } from './support/service.ts'

const PLUGINS = 20
/** Two processes of one program differ by some percent for as long as they live, so that several pairs are compared. */
const PAIRS = 6
const ROUNDS = 12
const CALLS_A_ROUND = 100

type Call = (service: BenchService, id: string) => () => Promise<unknown>

const CALLS: Readonly<Record<string, Call>> = {
  'get-one': (service, id) => () => service.call('GET', `/v1/memories/${id}`),
  list: service => () => service.call('GET', '/v1/memories?page_size=20'),
  create: service => () => service.call('POST', '/v1/memories', { memory: freshText(serial++) }),
}

interface Side {
  readonly service: BenchService
  readonly id: string
}

/** By call: the medians of rounds, those of one round in the same place. */
interface Medians {
  readonly plugged: number[]
  readonly bare: number[]
}

let serial = 0
const paths = await noOpPlugins()
const medians = new Map(Object.keys(CALLS).map(name => [name, { plugged: [], bare: [] } as Medians]))
report('load of the machine at the start (1 minute)', loadavg()[0] ?? Number.NaN, '')
for (let pair = 0; pair < PAIRS; pair++) await comparePair(pair)
for (const [name, { plugged, bare }] of medians) {
  const ratios = plugged.map((p50, round) => p50 / (bare[round] ?? Number.NaN))
  const [low, high] = medianInterval(ratios)
  report(`${name}: without plugins, p50`, percentile(bare, 0.5), 'ms')
  report(`${name}: with ${PLUGINS}, p50`, percentile(plugged, 0.5), 'ms')
  report(`${name}: ratio, median of ${ratios.length} rounds`, percentile(ratios, 0.5), '', 'at most 1.05')
  report(`${name}: its interval of 95 %, from`, low, '')
  report(`${name}: its interval of 95 %, to`, high, '')
}
report('load of the machine at the end (1 minute)', loadavg()[0] ?? Number.NaN, '')
await endBench()

/** Two servers, started in turn one before the other, and their rounds. */
async function comparePair(pair: number): Promise<void> {
  const start = { plugged: () => side({ PLUGINS: paths.join() }), bare: () => side({}) }
  const early = pair % 2 === 0 ? await start.plugged() : undefined
  const bare = await start.bare()
  const sides = { plugged: early ?? (await start.plugged()), bare }
  for (const [name, make] of Object.entries(CALLS)) {
    for (let round = -2; round < ROUNDS; round++) {
      for (const kind of round % 2 === 0 ? (['plugged', 'bare'] as const) : (['bare', 'plugged'] as const)) {
        const { service, id } = sides[kind]
        const p50 = percentile(await oneByOne(CALLS_A_ROUND, make(service, id)), 0.5)
        // The first rounds warm both up.
        if (round >= 0) medians.get(name)?.[kind].push(p50)
      }
    }
  }
  for (const { service } of Object.values(sides)) await service.server.stop()
}

/** A server with some memories, and the id of one. */
async function side(settings: Settings): Promise<Side> {
  const service = await startBenchService('native', { WORKERS: 'none', ...settings })
  const { checks } = (await service.call('GET', '/ready')) as { checks: Record<string, string> }
  const found = Object.keys(checks).filter(name => name.startsWith('idle')).length
  if (found !== (settings.PLUGINS ? PLUGINS : 0)) throw new Error(`${found} plugins are loaded`)
  const made = (await service.call('POST', '/v1/memories', { memory: freshText(serial++) })) as { id: string }
  for (let n = 0; n < 100; n++) await service.call('POST', '/v1/memories', { memory: freshText(serial++) })
  return { service, id: made.id }
}

/** Between which samples the median lies with 95 %: their ranks follow from the binomial distribution, whatever theirs is. */
function medianInterval(samples: readonly number[]): [low: number, high: number] {
  const sorted = [...samples].sort((a, b) => a - b)
  let [rank, outside, probability] = [0, 0, 0.5 ** sorted.length]
  while (outside + probability <= 0.025) {
    outside += probability
    rank++
    probability *= (sorted.length - rank + 1) / rank
  }
  const at = Math.max(0, rank - 1)
  return [sorted[at] ?? Number.NaN, sorted[sorted.length - 1 - at] ?? Number.NaN]
}

/** A module for each, since a plugin is the default export of one. */
async function noOpPlugins(): Promise<string[]> {
  const folder = await temporaryFolder()
  const source = new URL('support/no-op-plugin.ts', import.meta.url).pathname
  return Promise.all(
    Array.from({ length: PLUGINS }, async (_, n) => {
      const path = join(folder, `idle${n + 1}.ts`)
      const text = `import { noOpPlugin } from ${JSON.stringify(source)}\nexport default noOpPlugin('idle${n + 1}')\n`
      await writeFile(path, text)
      return path
    }),
  )
}
