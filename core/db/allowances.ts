import type { Clock } from '../clock.ts'

/** A workspace saves up at most this much time of the database, in milliseconds, and may use it in a row before it has to rest. */
const SAVED_MAX_MS = 250
/** A workspace that has less than this left counts as heavy: it has used much lately. */
const LITTLE_USED_MS = 210
/** A workspace is forgotten when its last transaction ended this long ago, and starts with full savings when it comes back. */
const FORGOTTEN_MS = 5000

/** This share of the time that requests use is also charged to the jobs of their workspace, so that a fourth is left for the jobs. */
const REQUESTS_PART = 3 / 4

/** The milliseconds that a workspace had left when its last transaction ended; negative when the transaction took more than it had. */
interface Allowance {
  /** A client waits for these transactions. */
  requests: number
  /** No client waits for these. */
  jobs: number
  at: number
}

/**
 * Shares the time of a database that runs one transaction at a time between workspaces, so that a workspace with little work mostly finds
 * it free although another one never stops. Each millisecond that passes is credited to every workspace: in full to one that is alone, in
 * half while others are active, and in smaller parts while several are heavy. A transaction is charged for the time it takes, and a
 * workspace that has nothing left rests until it has been credited enough. Jobs are never charged to the requests of their workspace.
 */
export class Allowances {
  /** Holds the workspaces in the order in which their last transactions ended, the earliest first. */
  readonly #recent = new Map<string, Allowance>()
  /** Counts the heavy ones among them. */
  #heavy = 0

  constructor(readonly clock: Clock) {}

  /** Tells whether any other workspace had a transaction in the last few seconds. */
  hasCompany(workspaceId: string): boolean {
    this.#forget()
    return this.#recent.size > (this.#recent.has(workspaceId) ? 1 : 0)
  }

  /**
   * @param urgent whether a client waits for the transaction
   * @returns for how many milliseconds the workspace has to rest before its next transaction
   */
  restMs(workspaceId: string, urgent: boolean): number {
    if (!this.hasCompany(workspaceId)) return 0
    const { requests, jobs } = this.#upToNow(workspaceId)
    const left = urgent ? requests : jobs
    return left > 0 ? 0 : 1 - left * this.#parts()
  }

  /** Charges the workspace for a transaction that ends now and held the database for so long. */
  use(workspaceId: string, urgent: boolean, heldMs: number): void {
    const { requests, jobs, at } = this.#upToNow(workspaceId)
    this.#delete(workspaceId)
    const left = urgent
      ? { requests: requests - heldMs, jobs: jobs - heldMs * REQUESTS_PART, at }
      : { requests, jobs: jobs - heldMs, at }
    this.#recent.set(workspaceId, left)
    if (isHeavy(left)) this.#heavy++
  }

  #upToNow(workspaceId: string): Allowance {
    const at = this.clock.now()
    const parts = this.hasCompany(workspaceId) ? this.#parts() : 1
    const before = this.#recent.get(workspaceId) ?? { requests: SAVED_MAX_MS, jobs: SAVED_MAX_MS, at }
    const given = (at - before.at) / parts
    return {
      requests: Math.min(SAVED_MAX_MS, before.requests + given),
      jobs: Math.min(SAVED_MAX_MS, before.jobs + given),
      at,
    }
  }

  /** Time is divided into this many parts: one for each heavy workspace, and one for all others together. */
  #parts(): number {
    return Math.max(2, this.#heavy + 1)
  }

  #forget(): void {
    const earliest = this.clock.now() - FORGOTTEN_MS
    for (const [workspaceId, { at }] of this.#recent) {
      if (at >= earliest) return
      this.#delete(workspaceId)
    }
  }

  #delete(workspaceId: string): void {
    const allowance = this.#recent.get(workspaceId)
    if (!allowance) return
    if (isHeavy(allowance)) this.#heavy--
    this.#recent.delete(workspaceId)
  }
}

function isHeavy({ requests, jobs }: Allowance): boolean {
  return Math.min(requests, jobs) < LITTLE_USED_MS
}
