import { Worker } from 'node:worker_threads'

/** What the worker thread is started with. */
export type ThreadTask =
  | { kind: 'create'; folder: string }
  | { kind: 'serve'; folder: string; password: string; idleInTransactionMs: number }

/** What the worker thread tells. */
export type ThreadReport =
  | { kind: 'created' }
  | { kind: 'listening'; port: number }
  | { kind: 'stopped' }
  | { kind: 'failed'; message: string }

/** The one message a worker thread is sent: shut the database down. */
export const stopMessage = 'stop'

/** The worker thread of the embedded database, seen from the thread that started it. */
export class DatabaseThread {
  readonly #worker: Worker
  readonly #reports: ThreadReport[] = []
  #wake: (() => void) | undefined
  #onFailure: ((error: Error) => void) | undefined

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

  /** From now on a failure is told to `listener`. */
  watch(listener: (error: Error) => void): void {
    this.#onFailure = listener
  }

  /** From now on failures are reported to `wait` again, and the database shuts down. */
  requestStop(): void {
    this.#onFailure = undefined
    this.#worker.postMessage(stopMessage)
  }

  async terminate(): Promise<void> {
    this.#onFailure = undefined
    await this.#worker.terminate()
  }

  #receive(report: ThreadReport): void {
    if (report.kind === 'failed' && this.#onFailure !== undefined) {
      this.#onFailure(new Error(`The embedded database failed: ${report.message}`))
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
