import type { Clock } from '../http/clock.ts'

/** A workspace may use so much of the database's time in a row, in milliseconds, before it rests. */
const SAVED_MAX_MS = 250
/** Where less than this is left of that, a workspace is one of those that use much. */
const LITTLE_USED_MS = 210
/** A workspace whose last transaction ended longer ago is as one that never had any. */
const FORGOTTEN_MS = 5000

/** Requests use up so much of the time of their workspace's jobs, too. A fourth of all is left for those. */
const REQUESTS_PART = 3 / 4

/** Milliseconds that may be used, as of the end of the last transaction; negative where more was used than there was. */
interface Allowance {
  /** For transactions that a client waits for. */
  requests: number
  /** For all others. */
  jobs: number
  at: number
}

/**
 * Shares out the time of a database that does one transaction at a time, so that those of a workspace mostly find it free although
 * another one never stops. As time passes each workspace is given some to use: all of it while it is alone, half of it while others are
 * about, and less while several use up what they are given. One that has used more rests until it was given that much.
 * Jobs never make the requests of their workspace rest.
 */
export class Allowances {
  /** By workspace; the one whose last transaction ended first stands first. */
  readonly #recent = new Map<string, Allowance>()
  /** Counts those among them that have lately used much. */
  #heavy = 0

  constructor(readonly clock: Clock) {}

  /** Tells whether any other workspace had a transaction in the last few seconds. */
  hasCompany(workspaceId: string): boolean {
    this.#forget()
    return this.#recent.size > (this.#recent.has(workspaceId) ? 1 : 0)
  }

  /** @returns for how many milliseconds the workspace starts no further transaction */
  restMs(workspaceId: string, urgent: boolean): number {
    if (!this.hasCompany(workspaceId)) return 0
    const { requests, jobs } = this.#upToNow(workspaceId)
    const left = urgent ? requests : jobs
    return left > 0 ? 0 : 1 - left * this.#parts()
  }

  /** Takes down that a transaction of the workspace, which ends now, held the database for so long. */
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

  /** Counts each workspace that has lately used much, and all others together as one. */
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
