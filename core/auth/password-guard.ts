import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { fail } from '../errors.ts'
import { admitTry, dropTry, forgiveTry, type PasswordTry, sweepTries } from './control/password-attempts.ts'

/**
 * Stands before every place that checks a password (sign-in, confirmation, change), with one count for all of them. Five wrong tries
 * in 15 minutes lock an account for the address or key they came from. From 50 wrong tries on, from anywhere, an account takes one
 * try every two seconds: strangers can slow its owner down and never lock the owner out, and not at all where the right password
 * came from before.
 */
export interface PasswordGuard {
  /**
   * Checks a password with `check`, unless too many were wrong. Counts are in Postgres, so that several servers count together.
   * @returns whether it was right; a try whose check throws does not count
   * @throws RATE_LIMITED with `Retry-After`, whether the password would be right or wrong
   */
  attempt(given: PasswordTry, check: () => Promise<boolean>): Promise<boolean>
  /** Removes counts whose window has ended; a chore calls it every hour. */
  sweep(): Promise<void>
}

/** @param parts.wait waits for some seconds, where a test does not want to */
export function createPasswordGuard({
  database,
  wait = seconds => pause(seconds * 1000),
}: {
  readonly database: Database
  readonly wait?: (seconds: number) => Promise<void>
}): PasswordGuard {
  // Concurrent right tries would count one another as wrong, so those from one place wait for one another here.
  const waiting = new Map<string, Promise<unknown>>()

  async function attempt(given: PasswordTry, check: () => Promise<boolean>): Promise<boolean> {
    const holder = { holder: given.place }
    const admission = await database.system(tx => admitTry(tx, given), holder)
    if ('lockedSeconds' in admission) throw locked(admission.lockedSeconds)
    if (admission.waitSeconds > 0) await wait(admission.waitSeconds)
    // Should the database be away for this too, the try stays counted until its window ends.
    const uncounted = () => database.system(tx => dropTry(tx, given), holder).catch(() => undefined)
    const isRight = await check().catch(async error => {
      await uncounted()
      throw error
    })
    if (isRight) await database.system(tx => forgiveTry(tx, given), holder)
    return isRight
  }

  return {
    async attempt(given, check) {
      const line = `${given.subject} ${given.place}`
      const turn = (waiting.get(line) ?? Promise.resolve()).catch(() => undefined).then(() => attempt(given, check))
      waiting.set(line, turn)
      try {
        return await turn
      } finally {
        if (waiting.get(line) === turn) waiting.delete(line)
      }
    },
    sweep: () => database.system(tx => sweepTries(tx)),
  }
}

function locked(seconds: number) {
  return fail('RATE_LIMITED', {
    message: 'Too many wrong passwords; retry after the time in Retry-After.',
    retryAfterSeconds: seconds,
  })
}
