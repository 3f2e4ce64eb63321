import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Batch } from './batches.ts'
import { type Counts, countLines, readCounts } from './output.ts'
import { type ProcessUsage, usageOf } from './usage.ts'

/** Has the name of the batch. */
export interface BatchResult extends Counts, ProcessUsage {
  readonly paths: readonly string[]
  /** On the clock, in seconds. */
  readonly seconds: number
  /**
   * The files themselves are to blame for so much: `seconds` less those in which the machine was overbooked, at least its
   * processor time.
   */
  readonly ownSeconds: number
  /** Says why the process failed, apart from tests that failed: the process died, or did not end. */
  readonly fault: string | undefined
  readonly output: string
}

export interface BatchRun {
  readonly root: string
  /** A folder of the run; temporary files of a batch lie in one of its own inside it. */
  readonly folder: string
  readonly flags: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** A file may take so long, in the mean of its batch. */
  readonly secondsMax: number
  /** Ends the batch early. */
  readonly signal: AbortSignal
  /** Sees the output as it comes. */
  readonly onOutput?: (text: string) => void
}

/** Under an agent Bun leaves out the tests that passed, which are counted here. */
const QUIETENS_BUN = ['CLAUDECODE', 'REPL_ID', 'AGENT']

/** Databases that tests start themselves end before the time that JavaScriptCore takes to optimize their WebAssembly would pay. */
const SHORT_LIVED = { BUN_JSC_useOMGJIT: '0' }

let started = 0

/** Runs the test files of a batch in a process of their own. */
export async function runBatch({ name, paths, closesEach }: Batch, run: BatchRun): Promise<BatchResult> {
  const folder = join(run.folder, String(++started))
  await mkdir(folder)
  const began = performance.now()
  const overbookedBefore = secondsOverbooked()
  const child = Bun.spawn(
    // Processes that tests leave running are ended with them, so that they take no memory from the files after them.
    [process.execPath, 'test', '--no-orphans', '--timeout=180000', ...run.flags, ...paths.map(path => `./${path}`)],
    { cwd: run.root, env: environmentOf(run, folder, closesEach), stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
  )
  const output = collectOutput(run.onOutput)
  const watch = watchProcess(child.pid, run.secondsMax * paths.length, run.signal)
  await Promise.all([output.read(child.stdout), output.read(child.stderr), child.exited])
  watch.stop()
  const seconds = (performance.now() - began) / 1000
  const usage = usageOf(name, child)
  const undisturbed = seconds - (secondsOverbooked() - overbookedBefore)
  await removeFolder(folder)
  const said = readCounts(output.text())
  const ending = child.signalCode ?? child.exitCode ?? 'unknown'
  return {
    ...usage,
    paths,
    ...(said ?? countLines(output.text())),
    seconds,
    ownSeconds: Math.max(undisturbed, usage.processorSeconds),
    fault: watch.reason() ?? faultOf(said, ending),
    output: output.text(),
  }
}

/** Bun ends with 0 when nothing failed, and with 1 when a test did. */
function faultOf(said: Counts | undefined, ending: number | string): string | undefined {
  if (!said) return `ended with ${ending} before its tests were done`
  return ending === 0 || said.failed > 0 ? undefined : `ended with ${ending}`
}

function environmentOf({ environment }: BatchRun, folder: string, closesEach: boolean) {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !QUIETENS_BUN.includes(name)))
  const closing = closesEach ? 'file' : 'run'
  return { ...SHORT_LIVED, ...inherited, ...environment, MNEME_TEST_CLOSING: closing, TMPDIR: folder }
}

function watchProcess(pid: number, secondsMax: number, signal: AbortSignal) {
  let reason: string | undefined
  const end = (why: string) => {
    reason ??= why
    killTree(pid)
  }
  const onAbort = () => end('was ended with the run')
  const limit = setTimeout(() => end(`did not end within ${secondsMax} s`), secondsMax * 1000)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  return {
    reason: () => reason,
    stop() {
      clearTimeout(limit)
      signal.removeEventListener('abort', onAbort)
    },
  }
}

const OUTPUT_CHARACTERS_MAX = 4_000_000

/** Both streams in the order in which they come; of an endless output the first part goes. */
function collectOutput(onText: ((text: string) => void) | undefined) {
  let collected = ''
  return {
    text: () => collected,
    async read(stream: ReadableStream<Uint8Array>): Promise<void> {
      const decoder = new TextDecoder()
      for await (const bytes of stream) {
        const text = decoder.decode(bytes, { stream: true })
        onText?.(text)
        collected = (collected + text).slice(-OUTPUT_CHARACTERS_MAX)
      }
    },
  }
}

/** Removes a folder with all that is in it, also the disks that a killed test has left mounted there. */
export async function removeFolder(folder: string): Promise<void> {
  for (const mounted of mountsUnder(folder)) spawnSync('umount', ['-l', mounted])
  await rm(folder, { recursive: true, force: true })
}

function mountsUnder(folder: string): string[] {
  try {
    const lines = readFileSync('/proc/mounts', 'utf8').split('\n')
    return lines.flatMap(line => line.split(' ')[1] ?? []).filter(mounted => mounted.startsWith(`${folder}/`))
  } catch {
    return []
  }
}

/** Ends a process and all that it started, which would live on and hold their memory. */
export function killTree(pid: number): void {
  for (const one of [...descendants(pid), pid]) {
    try {
      process.kill(one, 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
}

/** The processes that `pid` started, and theirs; none where there is no `/proc`. */
export function descendants(pid: number): number[] {
  const parents = new Map(processIds().map(id => [id, Number(fieldsOf(id)?.[1])]))
  const found = [pid]
  for (const one of found) for (const [id, parent] of parents) if (parent === one) found.push(id)
  return found.slice(1)
}

/**
 * Tells for how long, since the system started, some process was ready to run while all cores were taken, in seconds: what a busy machine adds
 * to the time of a test file. 0 where the system does not say.
 * @see https://docs.kernel.org/accounting/psi.html
 */
export function secondsOverbooked(): number {
  const microseconds = /^some .*total=(\d+)$/m.exec(readOrNothing('/proc/pressure/cpu') ?? '')?.[1]
  return Number(microseconds ?? 0) / 1e6
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** State, parent and further fields of `/proc/ID/stat`; the name before them stands in parentheses and may hold anything. */
function fieldsOf(pid: number): string[] | undefined {
  return readOrNothing(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ')
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
