import { startKernel } from '../core/kernel.ts'
import { builtInFolder, builtInPlugins, loadThirdParty } from '../server/plugins.ts'
import { exitAsFatal, exitWithReason, Life } from '../server/process.ts'

const runtime = 'Deno' in globalThis ? await import('../server/deno.ts') : await import('../server/bun.ts')

try {
  if (!process.env.DATABASE_URL)
    throw new Error('workers need DATABASE_URL: the embedded database belongs to the server alone.')
  const life = new Life()
  const starting = startKernel({
    environment: process.env,
    builtIn: builtInPlugins,
    builtInFolder,
    loadThirdParty,
    role: 'worker',
    onFatal: exitAsFatal,
    lateFaults: life.lateFaults,
    memory: { collect: runtime.collectGarbage },
  })
  life.stopsBy(async () => (await starting).stop())
  const kernel = await starting
  life.logsTo(kernel.log)
  life.stopsOnSignals()
  process.stdout.write(`Mneme works on jobs\n${kernel.summary.map(line => `  ${line}\n`).join('')}`)
} catch (error) {
  exitWithReason(error)
}
