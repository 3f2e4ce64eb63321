import { parseArgs } from 'node:util'
import { runChats } from './chats.ts'
import { runExport } from './export.ts'
import { runHook } from './hook.ts'
import { runImport } from './import.ts'
import { runMcp } from './mcp.ts'
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
  bun run mneme hook [--user U]
      answers the hook UserPromptSubmit of a coding agent: prints what is known that bears on a prompt, and remembers what it says
  bun run mneme mcp [--user U]
      speaks the Model Context Protocol by standard input and output, for agents that start their servers as programs

  --url URL         the service (MNEME_URL, http://127.0.0.1:3000)
  --key KEY         an API key (MNEME_API_KEY)
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
  const code = await run(words, surroundings)
  // A hook that ends with 2 keeps a coding agent from the prompt.
  return code === EXIT.usage && words[0] === 'hook' ? EXIT.failed : code
}

async function run(words: readonly string[], { environment, terminal, service }: Surroundings): Promise<number> {
  const line = readLine(words)
  if (line.said !== undefined) {
    terminal.print(line.said)
    return line.code
  }
  const { command, given, options } = line
  const key = options.key ?? environment.MNEME_API_KEY
  if (!key) {
    terminal.print('Set MNEME_API_KEY, or give --key.')
    return EXIT.usage
  }
  const url = options.url ?? environment.MNEME_URL ?? 'http://127.0.0.1:3000'
  if (!URL.canParse(url)) {
    terminal.print(`${url} is no address of a service: write http://host:port.`)
    return EXIT.usage
  }
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
  if (command === 'hook') {
    await runHook(terminal, { url, key, user: user ?? 'default', workspace, fetch: service?.fetch ?? fetch })
    return EXIT.done
  }
  if (command === 'mcp') {
    await runMcp(terminal, { url, key, user, workspace, ...service })
    return EXIT.done
  }
  try {
    const client = new Service({ url, key, ...service })
    if (command === 'export') return await runExport(client, terminal, { format, user, workspace, include, out })
    if (command === 'chats') return await runChats(client, terminal, given, { user, categories, workspace })
    return await runImport(client, terminal, given, { user, categories, workspace, replace, root, archives })
  } catch (error) {
    terminal.print(messageOf(error))
    if (error instanceof ServiceError) return EXIT.service
    return error instanceof RequestError && error.status === 400 ? EXIT.usage : EXIT.failed
  }
}

const OPTIONS = {
  url: { type: 'string' },
  key: { type: 'string' },
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

/** The parts of a command line, or what there is to say to it and the exit code. */
function readLine(words: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true })
    const [command, ...given] = positionals
    if (values.help || command === 'help') return { said: USAGE, code: EXIT.done }
    const takesPaths = (command === 'import' || command === 'chats') && given.length > 0
    const isExport = command === 'export' && given.length === 0
    const isAgents = (command === 'hook' || command === 'mcp') && given.length === 0
    if (!takesPaths && !isExport && !isAgents) return { said: USAGE, code: EXIT.usage }
    return { command, given, options: values }
  } catch (error) {
    return { said: `${messageOf(error)}\n\n${USAGE}`, code: EXIT.usage }
  }
}

if (import.meta.main) {
  process.exitCode = await mneme(process.argv.slice(2), { environment: process.env, terminal: processTerminal() })
}
