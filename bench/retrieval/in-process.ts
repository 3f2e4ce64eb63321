import { startKernel } from '../../core/kernel.ts'
import type { AnyPlugin } from '../../core/plugin.ts'
import { builtInPlugins } from '../../server/plugins.ts'
import { onEnd } from '../../test/support/closing.ts'
import { createNative, temporaryFolder } from '../../test/support/database.ts'
import { BENCH_KEY } from '../support/service.ts'
import { BenchClient } from './client.ts'

type Settings = Readonly<Record<string, string>>

/** A place for data that nobody used yet: the embedded database, or one of a native server. */
export async function emptyStore(nativeServer: string | undefined): Promise<Settings> {
  return nativeServer
    ? { DATABASE_URL: await createNative(nativeServer), ENCRYPTION_KEY: 'benchmark-benchmark-benchmark-0000' }
    : { DATA_DIR: await temporaryFolder() }
}

export interface InProcess {
  readonly client: BenchClient
  /** Reads /metrics. */
  metrics(): Promise<string>
  stop(): Promise<void>
}

/** A service in this process, on a store that no other has open. */
export async function openInProcess(
  store: Settings,
  further: Settings = {},
  builtIn: readonly AnyPlugin[] = builtInPlugins,
): Promise<InProcess> {
  const kernel = await startKernel({
    environment: { ...store, BOOTSTRAP_API_KEY: BENCH_KEY, RATE_LIMIT: 'off', LOG_LEVEL: 'error', ...further },
    builtIn,
    loadThirdParty: async () => [],
    role: 'server',
    onFatal(error) {
      throw error
    },
  })
  let stopped = false
  const stop = async () => {
    if (stopped) return
    stopped = true
    await kernel.stop()
  }
  onEnd(stop)
  return {
    client: new BenchClient('http://localhost', BENCH_KEY, async request => kernel.fetch(request)),
    metrics: async () => (await kernel.fetch(new Request('http://localhost/metrics'))).text(),
    stop,
  }
}
