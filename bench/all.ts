/** Every benchmark, one after the other, each in a process of its own: `BENCH_DATABASE_URL=postgres://… bun bench/all.ts`. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

let failed = 0
for (const name of [
  'embedder',
  'kernel',
  'plugins',
  'client',
  'transfers',
  'processing',
  'fairness',
  'search',
  'long-texts',
  'scale',
  'filters',
  'feedback',
  'graph/traverse',
  'graph/contradictions',
  'knowledge',
  'webhooks/deliveries',
  'start',
]) {
  console.log(`\n# ${name}`)
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(`${name}.ts`, import.meta.url))], {
    stdio: 'inherit',
  })
  if (status !== 0) failed++
}
if (failed > 0) console.error(`${failed} benchmarks did not end well`)
process.exit(failed === 0 ? 0 : 1)
