import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { agentsNamed, type Installation, install, readConfig, uninstall } from '../integrations/agents/install.ts'
import { Service, type ServiceOptions } from './service.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly environment: Installation['environment']
  readonly yes?: boolean | undefined
}

interface InstallOptions extends Options {
  readonly url?: string | undefined
  readonly key?: string | undefined
  readonly 'key-file'?: string | undefined
  readonly user?: string | undefined
  readonly workspace?: string | undefined
  readonly service?: Pick<ServiceOptions, 'fetch' | 'pause'> | undefined
}

/**
 * Connects coding agents with a service. What is not given is taken from the environment, from an earlier installation, or asked for.
 * @returns the exit code
 * @throws ServiceError where the service is not there or does not know the key
 */
export async function runInstall(
  terminal: Terminal,
  words: readonly string[],
  options: InstallOptions,
): Promise<number> {
  const { environment, service } = options
  const to = installation(terminal, options)
  const agents = await agentsNamed(words, to)
  if (agents.length === 0) {
    terminal.print(`None of these is on this machine: ${words.join(', ')}.`)
    return 1
  }
  const earlier = await readConfig(to.home)
  const given = options['key-file'] ? await readKey(options['key-file']) : (options.key ?? environment.MNEME_API_KEY)
  const url =
    options.url ??
    environment.MNEME_URL ??
    earlier.url ??
    ((await terminal.ask?.('Address of the service [http://127.0.0.1:3000]: ')) || 'http://127.0.0.1:3000')
  if (!URL.canParse(url)) throw new Error(`${url} is no address of a service: write http://host:port.`)
  const key = given ?? earlier.key ?? (await terminal.ask?.('API key: '))
  if (!key) throw new Error('Set MNEME_API_KEY, or give --key or --key-file.')
  await new Service({ url, key, ...service }).json('GET', '/v1/memories?page_size=1')
  const { user = earlier.user ?? 'me', workspace = earlier.workspace } = options
  const isDone = await install(agents, { url, key, user, workspace }, to)
  if (isDone)
    terminal.print(`Connected: ${agents.map(({ name }) => name).join(', ')}. Memories are kept for the user "${user}".`)
  return isDone ? 0 : 1
}

/** @returns the exit code */
export async function runUninstall(terminal: Terminal, words: readonly string[], options: Options): Promise<number> {
  const to = installation(terminal, options)
  return (await uninstall(await agentsNamed(words, to), to)) ? 0 : 1
}

export async function readKey(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).trim()
}

function installation({ print, ask }: Terminal, { environment, yes }: Options): Installation {
  const asks = ask && (async (question: string) => /^y(es)?$/i.test(await ask(question)))
  const confirm = yes ? async () => true : asks
  return { home: environment.HOME ?? homedir(), environment, print, confirm }
}
