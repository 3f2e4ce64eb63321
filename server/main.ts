import { explainFailure } from '../core/boot/explain.ts'
import { ConfigError } from '../core/config.ts'
import { startKernel } from '../core/kernel.ts'
import { announce, announceFirstStart } from './announce.ts'
import { listenFailure } from './listen.ts'
import { operate } from './operate.ts'
import { builtInPlugins, loadThirdParty } from './plugins.ts'
import { onStopSignal } from './signals.ts'

const runtime = 'Deno' in globalThis ? await import('./deno.ts') : await import('./bun.ts')

try {
  const words = process.argv.slice(2)
  if (words.length > 0) process.exit(await operate(words))
  const kernel = await startKernel({
    environment: process.env,
    builtIn: builtInPlugins,
    loadThirdParty,
    role: 'server',
    onFirstStart: announceFirstStart,
    onFatal(error) {
      console.error(`Mneme stops: ${error.message}`)
      process.exit(1)
    },
  })
  const address = { host: kernel.config.HOST, port: kernel.config.PORT }
  const listener = await runtime.listen({ ...address, fetch: kernel.fetch }).catch(async error => {
    await kernel.stop()
    throw await listenFailure(error, address)
  })
  onStopSignal(kernel.log, async () => {
    // New connections are refused first; what is under way is drained by the kernel.
    const closed = listener.close()
    await kernel.stop()
    await closed
  })
  // Last, since whoever reads it may stop the server at once.
  announce(listener.url, kernel)
} catch (error) {
  console.error(
    error instanceof ConfigError
      ? `Some settings are not right:\n${error.message}`
      : explainFailure(error, process.env),
  )
  process.exit(1)
}
