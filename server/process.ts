import { explainFailure } from '../core/boot/explain.ts'
import { ConfigError } from '../core/config.ts'
import { LateFaults } from '../core/faults/late-faults.ts'
import { createLog, type Logger } from '../core/log.ts'
import { leaveSignals } from './early-signals.ts'

/** A stop that takes longer ends hard; jobs and requests are safe, since whatever was acknowledged is committed. */
const STOP_MS_MAX = 16_000

type ExitCode = 0 | 1

/**
 * Manages one of our processes: it stops on signals, takes errors that nobody caught, and ends in order after one of
 * the kernel.
 */
export class Life {
  readonly lateFaults: LateFaults
  #log: Logger
  #stop: (code: ExitCode) => Promise<void> = async () => undefined
  #stopMsMax = STOP_MS_MAX
  #ending = false

  constructor(log = createLog('warn')) {
    this.#log = log
    this.lateFaults = new LateFaults(log)
    process.on('uncaughtException', error => this.#take(error, 'exception'))
    process.on('unhandledRejection', reason => this.#take(reason, 'rejection'))
  }

  /**
   * From here on the process stops in this way.
   * @param stop is told how the process will end: with 1 after a fault, when nothing should be begun any more
   * @param delayMs how long it may wait before it begins
   */
  stopsBy(stop: (code: ExitCode) => Promise<void>, delayMs = 0): void {
    this.#stop = stop
    this.#stopMsMax = STOP_MS_MAX + delayMs
  }

  /** A signal or a fault has come, also while the process still starts: nothing new is to be begun. */
  get isEnding(): boolean {
    return this.#ending
  }

  logsTo(log: Logger): void {
    this.#log = log
  }

  /** Stops on SIGTERM or SIGINT. */
  stopsOnSignals(): void {
    onFirstSignal(signal => {
      if (this.#ending) return
      this.#log.info({ signal }, 'stopping')
      this.#end(0)
    })
    leaveSignals()
  }

  #take(error: unknown, kind: 'exception' | 'rejection'): void {
    if (this.lateFaults.take(error, kind)) return
    this.#log.fatal({ err: error }, 'an error of the kernel that nobody caught; the process ends')
    // A fault caused by the stop itself must not begin another.
    if (!this.#ending) this.#end(1)
  }

  #end(code: ExitCode): void {
    this.#ending = true
    const deadline = setTimeout(() => {
      this.#log.error('the stop took too long; ending now')
      process.exit(1)
    }, this.#stopMsMax)
    this.#stop(code).then(
      () => {
        clearTimeout(deadline)
        process.exit(code)
      },
      error => {
        this.#log.error({ err: error }, 'stop failed')
        process.exit(1)
      },
    )
  }
}

/**
 * Calls back on the first SIGTERM or SIGINT; further ones change nothing. One Ctrl-C is up to three signals, since the terminal sends it to all
 * processes in the foreground, and `npx` and `bun run` pass theirs on to this one.
 */
function onFirstSignal(stop: (signal: NodeJS.Signals) => void): void {
  let hasCome = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (hasCome) return
      hasCome = true
      stop(signal)
    })
  }
}

/** Aborts when the operator interrupts a command, which is ended hard if it takes no notice. */
export function interruption(): AbortSignal {
  const interrupted = new AbortController()
  onFirstSignal(() => {
    interrupted.abort()
    setTimeout(() => {
      console.error('The command took too long to stop.')
      process.exit(1)
    }, STOP_MS_MAX).unref()
  })
  return interrupted.signal
}

/** Reports in words for the operator why a start failed, and ends the process. */
export function exitWithReason(error: unknown): never {
  console.error(
    error instanceof ConfigError
      ? `Some settings are not right:\n${error.message}`
      : explainFailure(error, process.env),
  )
  process.exit(1)
}

export function exitAsFatal(error: Error): never {
  console.error(`Mneme stops: ${error.message}`)
  process.exit(1)
}

/** Ends the process once its reader has taken all of the standard output: a pipe holds some 64 KB, and an exit drops the rest. */
export async function exitAfterOutput(code: number): Promise<never> {
  await new Promise<void>(resolve => process.stdout.end(resolve))
  process.exit(code)
}
