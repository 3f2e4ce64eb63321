import { asksForHelp } from '../core/command.ts'
import { type Kernel, startKernel } from '../core/kernel.ts'
import { listenFailure } from '../server/listen.ts'
import { builtInFolder, builtInPlugins, loadThirdParty } from '../server/plugins.ts'
import { exitAsFatal, exitWithReason, Life } from '../server/process.ts'

const USAGE = `Usage:
  bun run workers   works on the jobs of the servers on the database at DATABASE_URL, until it is stopped`

const runtime = 'Deno' in globalThis ? await import('../server/deno.ts') : await import('../server/bun.ts')

try {
  const words = process.argv.slice(2)
  if (words.length > 0) explain(words)
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
  life.stopsOnSignals()
  const kernel = await starting
  life.logsTo(kernel.log)
  if (!life.isEnding) await serve(life, kernel)
} catch (error) {
  exitWithReason(error)
}

function explain(words: readonly string[]): never {
  const isAsked = asksForHelp(words)
  process[isAsked ? 'stdout' : 'stderr'].write(`${USAGE}\n`)
  process.exit(isAsked ? 0 : 2)
}

async function serve(life: Life, kernel: Kernel): Promise<void> {
  const { HOST: host, WORKERS_PORT: port } = kernel.config
  const listener =
    port === undefined
      ? undefined
      : await runtime.listen({ host, port, fetch: kernel.fetch }).catch(async error => {
          await kernel.stop()
          throw await listenFailure(error, { host, port }, 'WORKERS_PORT')
        })
  life.stopsBy(async () => {
    const closed = listener?.close()
    await kernel.stop()
    await closed
  })
  const lines = [...kernel.summary, ...(listener ? [`metrics    ${listener.url}/metrics`] : [])]
  // This line comes last, since its reader may stop the process at once.
  process.stdout.write(`Mneme works on jobs\n${lines.map(line => `  ${line}\n`).join('')}`)
}
