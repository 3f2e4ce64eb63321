import type { Database } from '../db/database.ts'
import { fail } from '../errors.ts'
import { definePort } from '../ports.ts'
import type { Caller } from './caller.ts'
import { passwordHashOf } from './control/accounts.ts'
import { admitTry, forgiveTry, type Lock, sweepTries } from './control/password-attempts.ts'
import { matchesHash, PASSWORD_LENGTH_MAX } from './password.ts'

/** Asks for the account's password before something is gone for good. */
export interface PasswordConfirmation {
  /**
   * Checks the `X-Confirm-Password` header against the password of the account that owns the caller's key.
   * Throws PASSWORD_CONFIRMATION_REQUIRED, or RATE_LIMITED with `Retry-After` after too many wrong ones.
   */
  confirm(caller: Caller, request: Request): Promise<void>
}

/** Bound by the kernel. */
export const passwordConfirmation = definePort<PasswordConfirmation>('core.password-confirmation')

/** Hash of a password nobody has, so that an account without one takes as long to refuse. */
const NOBODY = 'scrypt$32768$8$3$bm9ib2R5bm9ib2R5bm9ib2$bm9ib2R5bm9ib2R5bm9ib2R5bm9ib2R5bm9ib2R5bm8='

/**
 * Counts in Postgres, so that several servers count together. A try is counted before the password is looked at and taken
 * back when it was right: that way no number of tries at once gets more than five passwords checked.
 * Tries of one caller wait for one another here, so that right ones at once do not lock each other out.
 */
export function createPasswordGate({ database }: { database: Database }): PasswordConfirmation & {
  /** Removes counters whose time is over; a chore of every hour. */
  sweep(): Promise<void>
} {
  const waiting = new Map<string, Promise<unknown>>()

  async function attempt(caller: Caller, passwords: readonly string[]): Promise<void> {
    const lock = await database.system(tx => admitTry(tx, caller.id))
    if (lock) throw locked(lock)
    const hash = await database.system(tx => passwordHashOf(tx, caller.accountId))
    const results = await Promise.all(passwords.map(password => matchesHash(password, hash ?? NOBODY)))
    if (!hash || !results.includes(true)) throw fail('PASSWORD_CONFIRMATION_REQUIRED')
    await database.system(tx => forgiveTry(tx, caller.id))
  }

  return {
    async confirm(caller, request) {
      const header = request.headers.get('x-confirm-password')
      if (!header) throw fail('PASSWORD_CONFIRMATION_REQUIRED')
      const turn = (waiting.get(caller.id) ?? Promise.resolve())
        .catch(() => undefined)
        .then(() => attempt(caller, readings(header)))
      waiting.set(caller.id, turn)
      try {
        await turn
      } finally {
        if (waiting.get(caller.id) === turn) waiting.delete(caller.id)
      }
    },
    sweep: () => database.system(tx => sweepTries(tx)),
  }
}

function locked({ secondsLeft }: Lock) {
  return fail('RATE_LIMITED', {
    message: 'Too many wrong passwords; retry after the time in Retry-After.',
    retryAfterSeconds: secondsLeft,
  })
}

/**
 * What a header may mean. HTTP says Latin-1 and clients send UTF-8; a password with other letters than ASCII is tried both
 * ways, which counts as one try.
 */
function readings(header: string): string[] {
  const short = header.slice(0, PASSWORD_LENGTH_MAX * 4)
  const bytes = Buffer.from(short, 'latin1')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the point is to find what is not ASCII
  if (/^[\x00-\x7f]*$/.test(short) || bytes.toString('latin1') !== short) return [short]
  return [short, bytes.toString('utf8')]
}
