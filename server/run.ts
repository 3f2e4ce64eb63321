import { setTimeout } from 'node:timers/promises'
import { type Kernel, type KernelOptions, startKernel } from '../core/kernel.ts'
import { startBar } from './announce.ts'
import { type Listener, listenFailure } from './listen.ts'
import { builtInFolder, builtInPlugins, loadThirdParty } from './plugins.ts'
import { exitAsFatal, Life } from './process.ts'

const runtime = 'Deno' in globalThis ? await import('./deno.ts') : await import('./bun.ts')

/** One of the programs that run until they are stopped, as it differs from the other. */
export interface Program extends Pick<KernelOptions, 'role' | 'onFirstStart'> {
  /** Says which setting has the port, and its value; without a value it listens nowhere. */
  portOf(config: Kernel['config']): Port
  /** Tells that it runs. This comes last, since the reader may stop the process at once. */
  announce(kernel: Kernel, url: string | undefined): void
}

interface Port {
  readonly setting: 'PORT' | 'WORKERS_PORT'
  readonly port: number | undefined
}

/** A start that is told to stop may go on for so long, to be stopped in order. */
const START_MS_LEFT = 2000

/** Starts the kernel, listens and says so. The process then ends by a signal or a fault. */
export async function run({ portOf, announce, ...options }: Program): Promise<void> {
  const life = new Life()
  const bar = startBar()
  const starting = startKernel({
    environment: { ...process.env, LOG_LEVEL: process.env.LOG_LEVEL || levelFor(process.stderr) },
    builtIn: builtInPlugins,
    builtInFolder,
    loadThirdParty,
    onFatal: exitAsFatal,
    lateFaults: life.lateFaults,
    memory: { collect: runtime.collectGarbage, trim: runtime.trimMemory },
    collector: runtime.collector,
    ...options,
    onStep: bar.step,
    onFirstStart(secrets) {
      bar.stop()
      options.onFirstStart?.(secrets)
    },
  }).finally(bar.stop)
  life.stopsBy(async () => {
    // Nobody is served yet, and a database is made and migrated all or nothing, so a start that takes longer need not end first.
    const started = await Promise.race([starting, setTimeout(START_MS_LEFT)])
    bar.stop()
    await started?.stop()
  })
  life.stopsOnSignals()
  const kernel = await starting
  life.logsTo(kernel.log)
  if (life.isEnding) return
  const listener = await listenOn(kernel, portOf(kernel.config))
  // No balancer sends a worker anything.
  const delayMs = options.role === 'server' ? kernel.config.SHUTDOWN_DELAY * 1000 : 0
  life.stopsBy(async code => {
    kernel.announceStop()
    if (code === 0) await setTimeout(delayMs)
    // New connections are refused first; the kernel drains requests under way.
    const closed = listener?.close()
    await kernel.stop()
    await closed
  }, delayMs)
  announce(kernel, listener?.url)
}

/** A person in a terminal asks for the line of each request, by LOG_LEVEL. */
function levelFor({ isTTY }: { readonly isTTY?: boolean }): string {
  return isTTY ? 'warn' : 'info'
}

async function listenOn(kernel: Kernel, { setting, port }: Port): Promise<Listener | undefined> {
  if (port === undefined) return undefined
  const address = { host: kernel.config.HOST, port }
  return runtime.listen({ ...address, fetch: kernel.fetch }).catch(async error => {
    await kernel.stop()
    throw await listenFailure(error, address, setting)
  })
}
