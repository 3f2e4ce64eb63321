import type { JobFailure } from '../job.ts'

/** The outcome of a job's step. */
export type Outcome =
  /** Its next step is due then; or the same one again, which counts as another attempt. */
  | { readonly kind: 'continue'; readonly inMs: number; readonly isRetry: boolean; readonly reason?: string }
  /** It ended in the step, or is gone. */
  | { readonly kind: 'over' }

export const next = (inMs = 0): Outcome => ({ kind: 'continue', inMs, isRetry: false })
export const again = (inMs: number): Outcome => ({ kind: 'continue', inMs, isRetry: true })
export const over: Outcome = { kind: 'over' }

/** Ends a job: thrown by its steps, with a sentence for the user. */
export class JobFailed extends Error implements JobFailure {
  override readonly name = 'JobFailed'

  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** The job was cancelled, deleted or ended by somebody else while a step of it was under way; the step leaves no trace. */
export class JobWithdrawn extends Error {
  override readonly name = 'JobWithdrawn'
}
