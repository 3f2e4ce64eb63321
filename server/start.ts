import { type Kernel, startKernel } from '../core/kernel.ts'
import { announce, announceFirstStart } from './announce.ts'
import { leaveSignals } from './early-signals.ts'
import { listenFailure } from './listen.ts'
import { operate } from './operate.ts'
import { builtInFolder, builtInPlugins, loadThirdParty } from './plugins.ts'
import { exitAfterOutput, exitAsFatal, exitWithReason, Life } from './process.ts'

const runtime = 'Deno' in globalThis ? await import('./deno.ts') : await import('./bun.ts')

try {
  const words = process.argv.slice(2)
  if (words.length > 0) {
    leaveSignals()
    await exitAfterOutput(await operate(words))
  }
  const life = new Life()
  const starting = startKernel({
    environment: process.env,
    builtIn: builtInPlugins,
    builtInFolder,
    loadThirdParty,
    role: 'server',
    onFirstStart: announceFirstStart,
    onFatal: exitAsFatal,
    lateFaults: life.lateFaults,
    memory: { collect: runtime.collectGarbage, trim: runtime.trimMemory },
  })
  life.stopsBy(async () => (await starting).stop())
  life.stopsOnSignals()
  const kernel = await starting
  life.logsTo(kernel.log)
  if (!life.isEnding) await serve(life, kernel)
} catch (error) {
  exitWithReason(error)
}

async function serve(life: Life, kernel: Kernel): Promise<void> {
  const address = { host: kernel.config.HOST, port: kernel.config.PORT }
  const listener = await runtime.listen({ ...address, fetch: kernel.fetch }).catch(async error => {
    await kernel.stop()
    throw await listenFailure(error, address)
  })
  life.stopsBy(async () => {
    // New connections are refused first; the kernel drains requests under way.
    const closed = listener.close()
    await kernel.stop()
    await closed
  })
  // This line comes last, since its reader may stop the server at once.
  announce(listener.url, kernel)
}
