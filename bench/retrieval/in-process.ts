import { startKernel } from '../../core/kernel.ts'
import { builtInPlugins } from '../../server/plugins.ts'
import { onEnd } from '../../test/support/closing.ts'
import { createNative, temporaryFolder } from '../../test/support/database.ts'
import { BENCH_KEY } from '../support/service.ts'
import { BenchClient } from './client.ts'

/** A service in this process on a database that nobody used yet: the embedded one, or one of a native server. */
export async function openInProcess(nativeServer: string | undefined): Promise<BenchClient> {
  const store = nativeServer
    ? { DATABASE_URL: await createNative(nativeServer), ENCRYPTION_KEY: 'benchmark-benchmark-benchmark-0000' }
    : { DATA_DIR: await temporaryFolder() }
  const kernel = await startKernel({
    environment: { ...store, BOOTSTRAP_API_KEY: BENCH_KEY, RATE_LIMIT: 'off', LOG_LEVEL: 'error' },
    builtIn: builtInPlugins,
    loadThirdParty: async () => [],
    role: 'server',
    onFatal(error) {
      throw error
    },
  })
  onEnd(() => kernel.stop())
  return new BenchClient('http://localhost', BENCH_KEY, async request => kernel.fetch(request))
}
