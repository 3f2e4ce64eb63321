import { availableParallelism } from 'node:os'

export interface Options {
  /** Parts of paths; a file is run when it has one of them. All files are run without any. */
  readonly filters: readonly string[]
  /** Runs only files that can notice the Postgres server of `TEST_DATABASE_URL`: the others do the same without it. */
  readonly onlyServerFiles: boolean
  /** Handed to every `bun test`. */
  readonly flags: readonly string[]
  /** Starts no further file after the first failure. */
  readonly bail: boolean
  readonly workers: number
  /** A file may take so long before it is ended, in seconds. */
  readonly fileSecondsMax: number
}

/** Options of `bun test` whose value is the next word. */
const TAKES_VALUE = new Set(['-t', '--test-name-pattern', '--timeout', '--seed', '--rerun-each', '--max-concurrency'])

/** Reads the words after `bun run test`: paths, and options of `bun test`. */
export function readOptions(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Options {
  const filters: string[] = []
  const flags: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (!word.startsWith('-')) filters.push(word)
    else flags.push(word)
    if (TAKES_VALUE.has(word)) flags.push(words[++index] ?? '')
  }
  const named = flags.some(flag => /^(-t|--test-name-pattern)(=|$)/.test(flag))
  return {
    filters,
    onlyServerFiles: environment.TEST_FILES === 'server',
    // A file in which nothing has the wanted name is no failure.
    flags: named ? [...flags, '--pass-with-no-tests'] : flags,
    bail: flags.some(flag => /^--bail(=|$)/.test(flag)),
    workers: positive(environment.TEST_WORKERS) ?? availableParallelism(),
    fileSecondsMax: positive(environment.TEST_FILE_SECONDS) ?? 600,
  }
}

function positive(value: string | undefined): number | undefined {
  const number = Number(value)
  return number > 0 ? number : undefined
}
