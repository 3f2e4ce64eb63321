import { Writable } from 'node:stream'
import pino from 'pino'
import type { LoadedPlugin } from '../../core/boot/select.ts'
import type { TimeLimit } from '../../core/boot/time-limit.ts'
import type { Clock } from '../../core/clock.ts'
import { startKernel } from '../../core/kernel.ts'
import type { AnyPlugin } from '../../core/plugin.ts'
import { builtInPlugins } from '../../server/plugins.ts'
import { CHEAP_HASH, ENCRYPTION_KEY, openAccounts } from '../kit/accounts.ts'
import { Client } from '../kit/client.ts'
import { oncePerRun, onEnd } from '../support/closing.ts'
import { databaseUrl, ownDatabaseUrl } from '../support/database.ts'

/** A case needs this of the world beside its plugins. */
export interface Circumstances {
  readonly builtIn?: 'all' | 'none'
  readonly settings?: Readonly<Record<string, string>>
  readonly setupLimit?: TimeLimit
}

interface StartOptions extends Circumstances {
  readonly url: string
  readonly clock?: Clock
  readonly log?: pino.Logger
}

/** A plugin in the form in which a module exports it: nothing has checked it yet. */
export type Given = unknown

function boot(plugins: readonly Given[], options: StartOptions) {
  const { url, builtIn = 'none', settings = {}, setupLimit, clock, log = pino({ level: 'silent' }) } = options
  const own: readonly AnyPlugin[] = builtIn === 'all' ? builtInPlugins : []
  return startKernel({
    environment: { DATABASE_URL: url, ENCRYPTION_KEY, RATE_LIMIT: 'off', ...settings },
    builtIn: own,
    loadThirdParty: async () =>
      plugins.map((plugin, n): LoadedPlugin<unknown> => ({ plugin, origin: `./plugin-${n + 1}.ts` })),
    role: 'server',
    log,
    hashCost: CHEAP_HASH,
    ...(setupLimit ? { setupLimit } : {}),
    ...(clock ? { clock } : {}),
    onFatal(error) {
      throw error
    },
  })
}

/** Returns the sentence that a start with these plugins ends with, or says that it did not end. */
export async function sentenceOf(plugins: readonly Given[], circumstances: Circumstances): Promise<string> {
  // Migrations of a case may stay, so that each plugin has an id of its own.
  const url = await oncePerRun('hostile', databaseUrl)
  try {
    const kernel = await boot(plugins, { ...circumstances, url })
    await kernel.stop()
    return 'it started'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

export type World = Awaited<ReturnType<typeof startWith>>

/** Starts a service with all built-in plugins and the given ones. */
export async function startWith(plugins: readonly Given[], options: Pick<StartOptions, 'clock' | 'settings'> = {}) {
  const lines: string[] = []
  const sink = new Writable({ write: (line, _, done) => done(void lines.push(String(line))) })
  const url = await ownDatabaseUrl()
  const log = pino({ level: 'warn' }, sink)
  const kernel = await boot(plugins, { url, builtIn: 'all', log, ...options })
  const anonymous = new Client(kernel.fetch, {})
  const accounts = openAccounts(url, anonymous)
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= kernel.stop().finally(() => accounts.close())
    return stopped
  }
  onEnd(stop)
  const { client, workspaceId } = await accounts.make()
  return {
    kernel,
    anonymous,
    client,
    workspaceId,
    database: accounts.database,
    stop,
    /** Lists the log's messages, warnings and worse. */
    said: () => lines.map(line => String(JSON.parse(line).msg)),
    lines,
    metric: async (name: string) =>
      String((await anonymous.get('/metrics')).body)
        .split('\n')
        .find(line => line.startsWith(name)),
    ready: async () => (await anonymous.get('/ready')).body,
  }
}
