import { type Process, type Runtime, run } from '../support/process.ts'
import { until } from '../support/wait.ts'

export const RUNTIMES: readonly Runtime[] = ['bun', 'deno']

/** The server of the transfer routes has seen this; see `server.ts`. */
export interface TransferState {
  readonly received: number
  readonly opened: number
  readonly ended: readonly string[]
  readonly memory: number
  readonly disk: number
  readonly responses: number
  readonly running: number
  /** Counts texts that were read. */
  readonly read: number
  /** Counts waits for clients that have not ended, and all that ever began. */
  readonly waiting: number
  readonly begun: number
  readonly observed: readonly [string, string, number, number][]
  /** Resident memory of the process, in bytes. */
  readonly rss: number
}

export interface TransferServer extends Process {
  readonly url: string
  readonly port: number
  state(): Promise<TransferState>
  /** Moves the server's clock. */
  advance(ms: number): Promise<void>
}

/** Starts the transfer routes on a runtime; the process ends with the test run. */
export async function startTransfers(runtime: Runtime): Promise<TransferServer> {
  const server = run('test/transfers/server.ts', {}, runtime)
  const url = await until('the transfer server listens', async () => {
    if (server.hasEnded()) throw new Error(server.stderr())
    return /listen on (\S+)/.exec(server.stdout())?.[1]
  })
  return {
    ...server,
    url,
    port: Number(new URL(url).port),
    state: async () => (await fetch(`${url}/test/state`)).json(),
    advance: async ms => void (await fetch(`${url}/test/advance?ms=${ms}`)),
  }
}
