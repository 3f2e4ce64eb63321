import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ENCRYPTION_KEY } from './accounts.ts'
import { Client } from './client.ts'
import { onEnd } from './closing.ts'
import { emptyDatabaseUrl, NATIVE_URL, ownDatabaseUrl, preparedFolder, temporaryFolder } from './database.ts'
import { until } from './wait.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export type Runtime = 'bun' | 'deno'

/** Lists what a process needs to run at all, and what the runner says to those that do not live long. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'BUN_JSC_useOMGJIT']

/** Spawned servers run on this; `MNEME_RUNTIME=deno` runs the same tests on Deno. */
export const RUNTIME: Runtime = process.env.MNEME_RUNTIME === 'deno' ? 'deno' : 'bun'

/** Settings of a server: only these reach it, besides {@link PASSED_ON}. */
export type Settings = Readonly<Record<string, string>>

export interface Process {
  readonly pid: number
  stdout(): string
  stderr(): string
  /** Resolves with the exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
  hasEnded(): boolean
  /** SIGTERM; resolves with how it ended. */
  stop(): Promise<number | string>
  /** SIGKILL. */
  kill(): Promise<void>
}

export interface ServerProcess extends Process {
  readonly url: string
  /** Holds what the first start printed; empty on later ones. */
  readonly apiKey: string
  readonly email: string
  readonly password: string
  /** Makes a client with a key: the printed one unless another is given, none with an empty one. */
  client(apiKey?: string): Client
}

/** Makes a place for a server's data that nobody used yet: a database of the native server, or an empty folder. */
export async function emptyStore(): Promise<Settings> {
  if (NATIVE_URL) return { DATABASE_URL: await emptyDatabaseUrl(), ENCRYPTION_KEY }
  return { DATA_DIR: await temporaryFolder() }
}

/**
 * Makes a place for a server's data that has all migrations and nothing else, so that a server starts on it as on its
 * own former one.
 */
export async function preparedStore(): Promise<Settings> {
  if (NATIVE_URL) return { DATABASE_URL: await ownDatabaseUrl(), ENCRYPTION_KEY }
  return { DATA_DIR: await preparedFolder() }
}

/** Starts a server on a free port, in a working folder, and resolves once it says where it listens; rejects with its output when it ends first. */
export async function startServer(settings: Settings, runtime = RUNTIME, folder = ROOT): Promise<ServerProcess> {
  const server = run('server/main.ts', { PORT: '0', RATE_LIMIT: 'off', ...settings }, runtime, [], folder)
  return serving(server)
}

async function serving(server: Process): Promise<ServerProcess> {
  const address = await said(server, /Mneme listens on (\S+)/)
  const printed = (name: string) => new RegExp(`^ +${name} +(\\S+)$`, 'm').exec(server.stdout())?.[1] ?? ''
  // The lines of a first start come in one write with the address.
  const apiKey = printed('API key')
  return {
    ...server,
    url: address,
    apiKey,
    email: printed('account'),
    password: printed('password'),
    client: (key = apiKey) => new Client(request => fetch(request), key ? { 'x-api-key': key } : {}, address),
  }
}

/** Starts a process that runs jobs only. It resolves with `url` where the settings have it listen. */
export async function startWorker(settings: Settings, runtime = RUNTIME): Promise<Process & { readonly url: string }> {
  const worker = run('workers/main.ts', settings, runtime)
  // All lines come in one write.
  await said(worker, /(Mneme works on jobs)/)
  const url = /^ +metrics +(\S+)\/metrics$/m.exec(worker.stdout())?.[1] ?? ''
  return { ...worker, url }
}

/** Runs a program that is expected to end by itself. */
export async function runToEnd(entry: string, settings: Settings, words: readonly string[] = []) {
  const child = run(entry, settings, RUNTIME, words)
  const code = await child.ended
  return { code, stdout: child.stdout(), stderr: child.stderr() }
}

/** Starts a program of ours in a working folder. It is killed at the end of the run if it still lives. */
export function run(
  entry: string,
  settings: Settings,
  runtime = RUNTIME,
  words: readonly string[] = [],
  folder = ROOT,
): Process {
  const [command = '', ...flags] = runtime === 'deno' ? [denoPath(), 'run', '-A'] : [process.execPath]
  return watch(
    spawn(command, [...flags, join(ROOT, entry), ...words], {
      cwd: folder,
      env: environmentOf(settings),
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
}

/** Starts the server in a terminal of its own as the README says, on Bun. */
export async function startInTerminal(settings: Settings): Promise<ServerProcess & { press(keys: string): void }> {
  // `script` gives the terminal. Its shell, which a Ctrl-C would end, makes room for the launcher.
  const child = spawn('script', ['-qefc', 'exec npx bun run server', '/dev/null'], {
    cwd: ROOT,
    env: environmentOf({ PORT: '0', RATE_LIMIT: 'off', LOG_LEVEL: '', ...settings }),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  return { ...(await serving(watch(child))), press: keys => void child.stdin.write(keys) }
}

function environmentOf(settings: Settings): Settings {
  const passedOn = PASSED_ON.flatMap(name => (process.env[name] ? [[name, process.env[name]]] : []))
  // Deno asks its vendor for a newer version unless it is told not to.
  return { ...Object.fromEntries(passedOn), LOG_LEVEL: 'warn', DENO_NO_UPDATE_CHECK: '1', ...settings }
}

function watch(child: ChildProcess): Process {
  const ended = new Promise<number | string>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  })
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  onEnd(async () => void (child.exitCode === null && child.signalCode === null && (await end('SIGKILL'))))
  return {
    pid: child.pid ?? 0,
    stdout: collect(child, 'stdout'),
    stderr: collect(child, 'stderr'),
    ended,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  }
}

/** This is the binary itself: the package's launcher is a process between us and it, which passes no signal on. */
export function denoPath(): string {
  const packages = join(ROOT, 'node_modules/@deno')
  const [platform] = readdirSync(packages)
  if (!platform) throw new Error(`no Deno for this machine in ${packages}`)
  return join(packages, platform, 'deno')
}

function collect(child: ChildProcess, stream: 'stdout' | 'stderr'): () => string {
  let text = ''
  child[stream]?.setEncoding('utf8').on('data', chunk => {
    text += chunk
  })
  return () => text
}

/** Waits for a line on standard output and returns the pattern's first group. */
async function said(child: Process, pattern: RegExp): Promise<string> {
  return until(
    `${pattern} on standard output`,
    async () => {
      const found = pattern.exec(child.stdout())?.[1]
      if (found) return found
      if (child.hasEnded()) throw new Error(`ended with ${await child.ended}: ${child.stderr()}`)
      return undefined
    },
    150_000,
  )
}
