import { Worker } from 'node:worker_threads'
import { messageOf } from './outcome.ts'
import { collectMessage, stopMessage, type ThreadReport, type ThreadTask } from './thread-protocol.ts'

export interface DatabaseWatcher {
  onCrash(error: Error): void
  onFailure(error: Error): void
}

/** Represents the worker thread of the embedded database in the thread that started it. */
export class DatabaseThread {
  readonly #worker: Worker
  readonly #reports: ThreadReport[] = []
  #wake: (() => void) | undefined
  #watcher: DatabaseWatcher | undefined

  constructor(task: ThreadTask) {
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: task })
    this.#worker.on('message', (report: ThreadReport) => this.#receive(report))
    this.#worker.on('error', error => this.#receive({ kind: 'failed', message: messageOf(error) }))
    this.#worker.on('exit', code => this.#receive({ kind: 'failed', message: `the worker exited with code ${code}` }))
  }

  /** Waits for a report of this kind. Throws when the thread fails instead. */
  async wait<Kind extends ThreadReport['kind']>(kind: Kind): Promise<Extract<ThreadReport, { kind: Kind }>> {
    for (;;) {
      const report = this.#reports.shift()
      if (report === undefined) {
        await new Promise<void>(resolve => {
          this.#wake = resolve
        })
      } else if (isKind(report, kind)) {
        return report
      } else if (report.kind === 'failed') {
        throw new Error(`The embedded database failed: ${report.message}`)
      }
    }
  }

  /** From now on crashes and failures are told to `watcher`. */
  watch(watcher: DatabaseWatcher): void {
    this.#watcher = watcher
  }

  /** From now on failures are reported to `wait` again, and the database shuts down. */
  requestStop(): void {
    this.#watcher = undefined
    this.#worker.postMessage(stopMessage)
  }

  collectGarbage(): void {
    this.#worker.postMessage(collectMessage)
  }

  async terminate(): Promise<void> {
    this.#watcher = undefined
    await this.#worker.terminate()
  }

  #receive(report: ThreadReport): void {
    if (this.#watcher !== undefined && report.kind === 'crashed') {
      this.#watcher.onCrash(new Error(`The embedded database crashed and starts again: ${report.message}`))
      return
    }
    if (this.#watcher !== undefined && report.kind === 'failed') {
      this.#watcher.onFailure(new Error(`The embedded database failed: ${report.message}`))
      return
    }
    this.#reports.push(report)
    this.#wake?.()
  }
}

function isKind<Kind extends ThreadReport['kind']>(
  report: ThreadReport,
  kind: Kind,
): report is Extract<ThreadReport, { kind: Kind }> {
  return report.kind === kind
}
