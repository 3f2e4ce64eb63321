import { chmod, mkdir, readFile, realpath, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AGENTS, type Agent, type Change, type Environment } from './agents.ts'
import { type Text, withChange, withoutChange } from './edit.ts'

const BUNDLE = fileURLToPath(new URL('./plugin/', import.meta.url))

export interface Installation {
  readonly home: string
  readonly environment: Environment
  readonly print: (line: string) => void
  /** Asks a person before anything is written; undefined where nobody can be asked. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined
}

export interface Connection {
  readonly url: string
  readonly key: string
  readonly user: string
  readonly workspace?: string | undefined
}

/** The file `~/.mneme/config.json` holds the connection, and what is to be taken back. */
interface Config extends Partial<Connection> {
  readonly agents?: readonly string[]
  /** Files that were not there before, as {@link shown}. */
  readonly created?: readonly string[]
}

/** A file with what it holds and what it is to hold. */
interface Step {
  readonly path: string
  readonly before: Text
  readonly after: Text
}

/** The agents that words name; `all` are those on this machine. @throws for names that there are not */
export async function agentsNamed(words: readonly string[], { home, environment }: Installation): Promise<Agent[]> {
  const known = AGENTS.map(({ id }) => id)
  const strange = words.find(word => word !== 'all' && !known.includes(word))
  if (strange !== undefined || words.length === 0) throw new Error(`Name ${known.join(', ')}, or all.`)
  const present: Agent[] = []
  for (const agent of AGENTS) {
    const isThere = (await statOf(agent.folder(home, environment))) !== undefined
    if (isThere && (words.includes('all') || words.includes(agent.id))) present.push(agent)
  }
  return present
}

/** Connects agents with the service. @returns whether it was written */
export async function install(agents: readonly Agent[], connection: Connection, to: Installation): Promise<boolean> {
  const { home, environment, print, confirm } = to
  const config = await readConfig(home)
  const steps: Step[] = []
  for (const agent of agents) {
    print(`${agent.name}:`)
    for (const change of await withBundle(agent.changes(agent.folder(home, environment), home, environment))) {
      const step = await stepOf(change, steps, print, home)
      if (step) steps.push(step)
    }
  }
  const isNew = steps.length > 0 || config.key !== connection.key || config.url !== connection.url
  if (isNew && !(await agreed(confirm, print))) return false
  const created = steps.filter(({ before }) => before === undefined).map(({ path }) => shown(path, home))
  // The program and its settings are there before an agent calls it.
  await writeConfig(home, {
    ...connection,
    agents: distinct([...(config.agents ?? []), ...agents.map(({ id }) => id)]),
    created: distinct([...(config.created ?? []), ...created]),
  })
  for (const { path, after } of steps) await write(path, after ?? '')
  for (const { left } of agents) if (left) print(left)
  return true
}

/** Takes back what {@link install} has written, and nothing else. @returns whether it was written */
export async function uninstall(agents: readonly Agent[], to: Installation): Promise<boolean> {
  const { home, environment, print, confirm } = to
  const config = await readConfig(home)
  const texts = new Map<string, Text>()
  const folders = new Set([home])
  for (const agent of agents) {
    const folder = agent.folder(home, environment)
    folders.add(folder)
    const changes = await withBundle(agent.changes(folder, home, environment))
    for (const change of changes.toReversed()) {
      const before = await readText(change.path)
      if (before === undefined) continue
      const text = texts.has(change.path) ? texts.get(change.path) : before
      const isOther = change.kind === 'default' && !config.created?.includes(shown(change.path, home))
      texts.set(change.path, isOther ? text : withoutChange(text, change))
    }
  }
  for (const [path, text] of texts) if (text === (await readText(path))) texts.delete(path)
  for (const path of texts.keys()) print(`- ${shown(path, home)}`)
  if (texts.size > 0 && !(await agreed(confirm, print))) return false
  for (const [path, text] of texts) {
    if (text !== undefined) await write(path, text)
    else if (config.created?.includes(shown(path, home))) await removeFile(path, folders)
    else await write(path, path.endsWith('.toml') ? '' : '{}\n')
  }
  const left = (config.agents ?? []).filter(id => !agents.some(agent => agent.id === id))
  const created = (config.created ?? []).filter(path => ![...texts.keys()].some(one => shown(one, home) === path))
  if (left.length > 0) await writeConfig(home, { ...config, agents: left, created })
  else await removeProgram(join(home, '.mneme'))
  return true
}

/** Several changes of one file are steps upon each other. */
async function stepOf(change: Change, steps: Step[], print: (line: string) => void, home: string) {
  const earlier = steps.findLastIndex(({ path }) => path === change.path)
  const [same] = earlier < 0 ? [] : steps.splice(earlier, 1)
  const before = same ? same.before : await readText(change.path)
  const now = same ? same.after : before
  try {
    const after = withChange(now, change)
    if (after !== now) for (const line of linesOf(change)) print(`  + ${shown(change.path, home)}  ${line}`)
    return after === before ? undefined : { path: change.path, before, after }
  } catch (error) {
    print(`  ! ${shown(change.path, home)} ${error instanceof Error ? error.message : error}`)
    return same
  }
}

function linesOf(change: Change): string[] {
  if (change.kind === 'file') return ['(a file of its own)']
  if (change.kind === 'lines') return change.text.split('\n')
  return [`${change.at.join('.')}: ${JSON.stringify(change.value)}`]
}

async function agreed(confirm: Installation['confirm'], print: (line: string) => void): Promise<boolean> {
  if (confirm) return confirm('Write this? [y/N] ')
  print('Nothing was written: give --yes.')
  return false
}

async function withBundle(changes: readonly Change[]): Promise<Change[]> {
  const read = async (change: Change): Promise<Change> =>
    change.kind === 'file' && change.from
      ? { ...change, text: await readFile(join(BUNDLE, change.from), 'utf8') }
      : change
  return Promise.all(changes.map(read))
}

export async function readConfig(home: string): Promise<Config> {
  return JSON.parse((await readText(join(home, '.mneme', 'config.json'))) ?? '{}')
}

async function writeConfig(home: string, config: Config): Promise<void> {
  const folder = join(home, '.mneme')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'config.json')
  await writeFile(path, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 })
  // A file that was there keeps its mode, and this one holds a key.
  await chmod(path, 0o600)
  await writeFile(join(folder, 'mneme.mjs'), await readFile(join(BUNDLE, 'mneme.mjs')))
}

/** Turns that were noted and not delivered yet stay there. */
async function removeProgram(folder: string): Promise<void> {
  for (const name of ['config.json', 'mneme.mjs']) await rm(join(folder, name), { force: true })
  for (const path of [join(folder, 'pending'), folder]) await rmdir(path).catch(() => undefined)
}

/** Folders that held this file alone go with it, up to one that was there for the agent. */
async function removeFile(path: string, kept: ReadonlySet<string>): Promise<void> {
  await rm(path)
  let folder = dirname(path)
  const isEmptied = async () =>
    rmdir(folder).then(
      () => true,
      () => false,
    )
  while (!kept.has(folder) && (await isEmptied())) folder = dirname(folder)
}

/** Settings may be links into a folder that is under version control: what they lead to is written, as a whole or not at all. */
async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const target = await realpath(path).catch(() => path)
  const { mode } = (await statOf(target)) ?? { mode: 0o600 }
  const draft = `${target}.mneme-new`
  await writeFile(draft, text, { mode })
  await rename(draft, target)
}

async function readText(path: string): Promise<Text> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

async function statOf(path: string) {
  return stat(path).catch(() => undefined)
}

function shown(path: string, home: string): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)]
}
