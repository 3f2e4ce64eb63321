/** A command gets this from the shell that calls it. */
export interface CommandInput<S> {
  /** The words after the command's name, as the shell passed them. */
  readonly args: readonly string[]
  readonly scope: S
  /** Writes a line for people to standard output. */
  print(line: string): void
  /** Aborted when the operator interrupts; half-done work must survive that. */
  readonly signal: AbortSignal
}

/**
 * An operator runs it in a shell, as `bun run command <plugin> <name> [arguments]`, beside servers and workers or
 * without them. It gets the plugin's scope as handlers do; no jobs or chores run, except
 * for chores that write what was buffered (`flushes`), once at its end.
 */
export interface Command<S = never> {
  readonly name: string
  /** Help shows these arguments, e.g. `FILE [--json]`. */
  readonly usage?: string
  /** Says in one sentence what it does. */
  readonly summary: string
  readonly standalone?: false
  /** @returns the exit code: 0 when all is well, 1 when it found something amiss; 2 says that it was called wrongly */
  run(input: CommandInput<S>): Promise<number>
}

/**
 * This command needs nothing of a service in its own process, such as one that speaks to a running server over HTTP. It
 * reads no settings and opens no database, so it runs while a server holds the embedded one.
 */
export interface StandaloneCommand extends Omit<Command, 'run' | 'standalone'> {
  readonly standalone: true
  /** @returns the exit code, as {@link Command}'s */
  run(input: Omit<CommandInput<never>, 'scope'>): Promise<number>
}

/** A command with what its plugin's `setup` returned as its scope, both with their types erased. */
export interface MountedCommand {
  readonly owner: string
  readonly command: Command | StandaloneCommand
  readonly scope: unknown
}

export function runCommand(
  { command, scope }: MountedCommand,
  input: Omit<CommandInput<unknown>, 'scope'>,
): Promise<number> {
  if (command.standalone) return command.run(input)
  return command.run({ ...input, scope: scope as never })
}

const HELP_OPTIONS = ['--help', '-h']

/** Words that ask what a program takes. */
export const HELP: ReadonlySet<string> = new Set(['help', ...HELP_OPTIONS])

/** Tells whether the words after a program's name ask what it takes: `help` as the first of them, else an option. */
export function asksForHelp(words: readonly string[]): boolean {
  return words[0] === 'help' || HELP_OPTIONS.some(option => words.includes(option))
}
