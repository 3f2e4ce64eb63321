import { parseArgs } from 'node:util'
import { bridge, readSettings } from '../integrations/agents/plugin/mneme.mjs'
import { readKey, runInstall, runUninstall } from './agents.ts'
import { runChats } from './chats.ts'
import { runExport } from './export.ts'
import { runImport } from './import.ts'
import { messageOf, RequestError, Service, ServiceError, type ServiceOptions } from './service.ts'
import { processTerminal, type Terminal } from './terminal.ts'

const USAGE = `Usage:
  bun run mneme import PATH|URL… [--user U] [--categories a,b] [--replace] [--root NAME] [--archives]
      imports files, folders with all below them, and pages, and waits until they can be searched;
      with --replace, each takes the place of what was imported from the same full path or address; with --root,
      NAME stands for the full path to the folder, so that the documents are the same on every machine;
      with --archives, .json files are read as exports of mem0, Zep or this service, as .jsonl files always are
  bun run mneme chats FILE… [--user U] [--categories a,b]
      submits the chats of ChatGPT's or Claude's conversations.json, and makes memories of what the person said in them
  bun run mneme export [--format jsonl|json|csv|markdown] [--user U] [--include memories,history,knowledge,graph,ingest,templates] [--out FILE]
      downloads everything, or what --include names; run again with the same arguments, it goes on with what was cut off within a day
  bun run mneme install claude-code|codex|cursor|opencode|copilot-cli|all [--user U] [--yes]
      connects coding agents on this machine: hooks that recall and remember, the tools of MCP, and a skill; it shows what it
      writes, and asks before it does
  bun run mneme uninstall claude-code|codex|cursor|opencode|copilot-cli|all [--yes]
      takes that back, and nothing else
  bun run mneme mcp [--user U]
      speaks MCP over standard input and output

  --url URL         the service (MNEME_URL, http://127.0.0.1:3000)
  --key KEY         an API key (MNEME_API_KEY); --key-file FILE reads it from a file
  --workspace ID    another workspace than the key's

Ends with 0 when all was done, 1 when something failed, 2 for wrong arguments, 3 when the service cannot be used.`

const EXIT = { done: 0, failed: 1, usage: 2, service: 3 }

export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly terminal: Terminal
  /** In place of the network, in tests. */
  readonly service?: Pick<ServiceOptions, 'fetch' | 'pause'>
}

/** Runs a command line. @returns the exit code */
export async function mneme(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const { terminal } = surroundings
  const line = readLine(words)
  if (line.said !== undefined) {
    terminal.print(line.said)
    return line.code
  }
  const { command, given, options } = line
  try {
    const key = options['key-file'] ? await readKey(options['key-file']) : options.key
    return await run(command, given, { ...options, key }, surroundings)
  } catch (error) {
    terminal.print(messageOf(error))
    if (error instanceof ServiceError) return EXIT.service
    return error instanceof RequestError && error.status !== 400 ? EXIT.failed : EXIT.usage
  }
}

/** @throws what went wrong: an {@link Error} of another kind than those of the service is one of the arguments */
async function run(
  command: string | undefined,
  given: readonly string[],
  options: Options,
  { environment, terminal, service }: Surroundings,
): Promise<number> {
  if (command === 'uninstall') return runUninstall(terminal, given, { environment, yes: options.yes })
  if (command === 'install') return runInstall(terminal, given, { environment, ...options, service })
  const {
    user,
    workspace,
    categories,
    replace = false,
    root,
    archives = false,
    format = 'jsonl',
    include,
    out,
  } = options
  const key = options.key ?? environment.MNEME_API_KEY
  if (command === 'mcp') {
    const settings = await readSettings({
      ...environment,
      MNEME_API_KEY: key,
      MNEME_USER: user ?? environment.MNEME_USER,
    })
    await bridge({ ...settings, url: options.url ?? settings.url }, process.stdin, terminal.print)
    return EXIT.done
  }
  if (!key) throw new Error('Set MNEME_API_KEY, or give --key.')
  const url = options.url ?? environment.MNEME_URL ?? 'http://127.0.0.1:3000'
  if (!URL.canParse(url)) throw new Error(`${url} is no address of a service: write http://host:port.`)
  const client = new Service({ url, key, ...service })
  try {
    if (command === 'export') return await runExport(client, terminal, { format, user, workspace, include, out })
    if (command === 'chats') return await runChats(client, terminal, given, { user, categories, workspace })
    return await runImport(client, terminal, given, { user, categories, workspace, replace, root, archives })
  } catch (error) {
    if (error instanceof ServiceError || error instanceof RequestError) throw error
    terminal.print(messageOf(error))
    return EXIT.failed
  }
}

/** The commands, and whether words follow them. */
const COMMANDS: Readonly<Record<string, boolean>> = {
  import: true,
  chats: true,
  export: false,
  install: true,
  uninstall: true,
  mcp: false,
}

const OPTIONS = {
  url: { type: 'string' },
  key: { type: 'string' },
  'key-file': { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  user: { type: 'string' },
  workspace: { type: 'string' },
  categories: { type: 'string' },
  replace: { type: 'boolean' },
  root: { type: 'string' },
  archives: { type: 'boolean' },
  format: { type: 'string' },
  include: { type: 'string' },
  out: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

type Options = {
  readonly [name in keyof typeof OPTIONS]?:
    | ((typeof OPTIONS)[name]['type'] extends 'boolean' ? boolean : string)
    | undefined
}

/** The parts of a command line, or what there is to say to it and the exit code. */
function readLine(words: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true })
    const [command, ...given] = positionals
    if (values.help || command === 'help') return { said: USAGE, code: EXIT.done }
    const { [command ?? '']: takesWords } = COMMANDS
    if (takesWords !== given.length > 0) return { said: USAGE, code: EXIT.usage }
    return { command, given, options: values }
  } catch (error) {
    return { said: `${messageOf(error)}\n\n${USAGE}`, code: EXIT.usage }
  }
}

if (import.meta.main) {
  process.exitCode = await mneme(process.argv.slice(2), { environment: process.env, terminal: processTerminal() })
}
