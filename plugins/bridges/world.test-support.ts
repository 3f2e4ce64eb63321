import type { TestAccount } from '../../test/kit/accounts.ts'
import type { KeyOptions } from '../../test/support/accounts.ts'
import type { Client, Json } from '../../test/support/client.ts'
import { oncePerRun, onEnd } from '../../test/support/closing.ts'
import { serveHttp } from '../../test/support/http-server.ts'
import { startService } from '../../test/support/service.ts'
import { until } from '../../test/support/wait.ts'

// Its client reports each call to its vendor, and takes this variable as the wish not to.
process.env.MEM0_TELEMETRY = 'false'

/** A service with all bridges on, behind a port that clients of other services can be pointed at. */
export interface BridgedService {
  readonly origin: string
  account(): Promise<TestAccount & { readonly apiKey: string }>
}

export function bridged(settings: Record<string, string> = {}): Promise<BridgedService> {
  return oncePerRun(`bridged ${JSON.stringify(settings)}`, async () => {
    const service = await startService({ BRIDGES: 'mem0,supermemory,zep', ...settings })
    const server = await serveHttp(request => service.kernel.fetch(request))
    onEnd(async () => server.close())
    return {
      origin: server.origin,
      async account() {
        const account = await service.account()
        return { ...account, apiKey: keyOf(account.client) }
      },
    }
  })
}

export async function keyWith(account: TestAccount, options: KeyOptions): Promise<string> {
  return keyOf(await account.key(options))
}

function keyOf(client: Client): string {
  return client.headers['x-api-key'] ?? ''
}

/** Reads what the service itself says that it holds. */
export async function held(client: Client, query: Record<string, string> = {}): Promise<Json[]> {
  return (await client.get('/v1/memories', { query: { ...query, page_size: '100' } })).body.data
}

/** Waits until every memory of an account can be found by its meaning. */
export function processed(client: Client): Promise<unknown> {
  return until('the memories are processed', async () => {
    const memories = await held(client)
    return memories.length > 0 && memories.every(({ status }) => status === 'COMPLETED')
  })
}

/** Returns what a call fails with; clients give out promises of their own making, which are no promises to a test. */
export async function refusalOf(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call
    return undefined
  } catch (error) {
    return error
  }
}
