import { plan } from '../core/boot/plan.ts'
import type { PluginSelection } from '../core/boot/select.ts'
import { asksForHelp, HELP, runCommand, type StandaloneCommand } from '../core/command.ts'
import { startKernel } from '../core/kernel.ts'
import { builtInFolder, builtInPlugins, loadThirdParty } from './plugins.ts'
import { exitAfterOutput, exitAsFatal, exitWithReason, interruption, Life } from './process.ts'

const plugins = { environment: process.env, builtIn: builtInPlugins, loadThirdParty }

/** Runs one command of one plugin: `bun run command <plugin> <command> [arguments]`. */
async function main(words: readonly string[]): Promise<number> {
  const wantsHelp = asksForHelp(words)
  const [owner = '', name = '', ...args] = words
  const standalone = standaloneCommand(owner, name)
  if (standalone && !wantsHelp) return standalone.run(inputOf(args))
  // Manifests tell the commands, so help opens no database.
  const { selection } = await plan(plugins)
  if (wantsHelp) {
    process.stdout.write(`${helpOf(words.find(word => !HELP.has(word)) ?? '', selection)}\n`)
    return 0
  }
  const commands = selection.loaded.find(({ id }) => id === owner)?.commands ?? []
  if (!commands.some(command => command.name === name)) {
    console.error(helpOf(owner, selection))
    return 2
  }
  return runMounted(owner, name, args)
}

async function runMounted(owner: string, name: string, args: readonly string[]): Promise<number> {
  const life = new Life()
  const starting = startKernel({
    ...plugins,
    // Standard output is the command's own, so the log says only what matters unless it is asked for more.
    environment: { ...process.env, LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' },
    builtInFolder,
    role: 'command',
    onFatal: exitAsFatal,
    lateFaults: life.lateFaults,
  })
  life.stopsBy(async () => (await starting).stop())
  const kernel = await starting
  life.logsTo(kernel.log)
  try {
    const mounted = kernel.commands.find(each => each.owner === owner && each.command.name === name)
    if (!mounted) throw new Error(`the command ${owner} ${name} was not mounted`)
    return await runCommand(mounted, inputOf(args))
  } finally {
    await kernel.stop()
  }
}

/**
 * Runs a command that comes with Mneme and works beside any service. Those of third parties run with a kernel all the
 * same.
 */
function standaloneCommand(owner: string, name: string): StandaloneCommand | undefined {
  const own = builtInPlugins.find(({ id }) => id === owner)?.commands ?? []
  return own.filter(command => command.standalone === true).find(command => command.name === name)
}

function inputOf(args: readonly string[]) {
  const print = (line: string): void => void process.stdout.write(`${line}\n`)
  return { args, print, signal: interruption() }
}

/** Shows the commands of a plugin; those of all plugins where it has none, or nothing is named. */
function helpOf(wanted: string, { loaded }: PluginSelection): string {
  const commands = loaded.flatMap(({ id, commands = [] }) => commands.map(command => ({ owner: id, command })))
  const own = commands.filter(({ owner }) => owner === wanted)
  const shown = own.length > 0 ? own : commands
  const unknown = wanted && own.length === 0 ? [`No loaded plugin ${wanted} has commands.`] : []
  const lines = shown.map(
    ({ owner, command: { name, usage, summary } }) =>
      `  ${['bun run command', owner, name, ...(usage ? [usage] : [])].join(' ')}\n      ${summary}`,
  )
  return [...unknown, ...(lines.length > 0 ? ['Usage:', ...lines] : ['No loaded plugin has commands.'])].join('\n')
}

try {
  await exitAfterOutput(await main(process.argv.slice(2)))
} catch (error) {
  exitWithReason(error)
}
