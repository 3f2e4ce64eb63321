export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Reads the summary of `bun test`, or undefined when it ended before it could print one. */
export function readCounts(output: string): Counts | undefined {
  const lines = plain(output).split('\n')
  if (lines.some(line => /^error: regex .* matched 0 tests\./.test(line))) return { passed: 0, failed: 0, skipped: 0 }
  const end = lines.findLastIndex(line => /^Ran \d+ tests? across \d+ files?\./.test(line))
  if (end < 0) return undefined
  const counted = (name: string) => {
    const line = lines.slice(Math.max(0, end - 8), end).findLast(text => new RegExp(`^ *\\d+ ${name}$`).test(text))
    return Number(/\d+/.exec(line ?? '')?.[0] ?? 0)
  }
  return { passed: counted('pass'), failed: counted('fail'), skipped: counted('skip') + counted('todo') }
}

/** Tests that had an answer before a process died. */
export function countLines(output: string): Counts {
  const lines = plain(output).split('\n')
  const starting = (mark: string) => lines.filter(line => line.startsWith(`(${mark}) `)).length
  return { passed: starting('pass'), failed: starting('fail'), skipped: starting('skip') + starting('todo') }
}

const LINES_MAX = 300

/** The part of an output that says what failed: without the tests that passed, and its last lines only when it is long. */
export function failureOutput(output: string): string {
  const lines = linesOnce(output).filter(line => !/^\((pass|skip)\) |^bun test v/.test(line))
  const cut =
    lines.length > LINES_MAX ? [`… ${lines.length - LINES_MAX} lines before`, ...lines.slice(-LINES_MAX)] : lines
  return cut.join('\n').trim()
}

export interface FailedTest {
  /** The path that stands above its lines; undefined before the first one. */
  readonly path: string | undefined
  readonly name: string
}

/** Finds the tests that failed, each once. */
export function failedTests(output: string): FailedTest[] {
  const found = new Map<string, FailedTest>()
  let path: string | undefined
  for (const line of linesOnce(output)) {
    path = /^(\S+\.test\.ts):$/.exec(line)?.[1] ?? path
    const name = /^\(fail\) (.*?)(?: \[[\d.]+m?s\])?$/.exec(line)?.[1]
    if (name !== undefined && !found.has(`${path} ${name}`)) found.set(`${path} ${name}`, { path, name })
  }
  return [...found.values()]
}

/** Returns the lines before the end, where Bun names all failures again. */
function linesOnce(output: string): string[] {
  const all = plain(output).split('\n')
  const again = all.findIndex(line => /^\s*\d+ tests? failed:$/.test(line))
  return again < 0 ? all : all.slice(0, again)
}

function plain(output: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are coloured by control characters.
  return output.replace(/\u001b\[[0-9;]*m/g, '')
}
