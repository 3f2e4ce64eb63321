import type { Database } from '../db/database.ts'
import { fail } from '../errors.ts'
import { definePort } from '../ports.ts'
import type { Caller } from './caller.ts'
import type { ClientAddress } from './client-address.ts'
import { passwordHashOf } from './control/accounts.ts'
import { matchesHash, PASSWORD_LENGTH_MAX } from './password.ts'
import type { PasswordGuard } from './password-guard.ts'

/** Asks for the account's password before something is deleted for good. */
export interface PasswordConfirmation {
  /**
   * Checks the `X-Confirm-Password` header against the password of the account that owns the caller's key.
   * Throws PASSWORD_CONFIRMATION_REQUIRED, or RATE_LIMITED with `Retry-After` after too many wrong ones.
   */
  confirm(caller: Caller, request: Request): Promise<void>
}

/** The kernel binds this port. */
export const passwordConfirmation = definePort<PasswordConfirmation>('core.password-confirmation')

/** No password has this hash; checking it makes an account without a password take as long to refuse. */
const NOBODY = 'scrypt$32768$8$3$bm9ib2R5bm9ib2R5bm9ib2$bm9ib2R5bm9ib2R5bm9ib2R5bm9ib2R5bm9ib2R5bm8='

/** Confirms a password against the count of wrong tries that all places share. */
export function createPasswordConfirmation({
  database,
  guard,
  clientAddress,
}: {
  readonly database: Database
  readonly guard: PasswordGuard
  readonly clientAddress: ClientAddress
}): PasswordConfirmation {
  return {
    async confirm(caller, request) {
      const header = request.headers.get('x-confirm-password')
      if (!header) throw fail('PASSWORD_CONFIRMATION_REQUIRED')
      const place = caller.kind === 'key' ? `key ${caller.id}` : `address ${clientAddress(request)}`
      const isRight = await guard.attempt({ subject: caller.accountId, place }, async () => {
        const hash = await database.system(tx => passwordHashOf(tx, caller.accountId))
        const results = await Promise.all(readings(header).map(password => matchesHash(password, hash ?? NOBODY)))
        return hash !== undefined && results.includes(true)
      })
      if (!isRight) throw fail('PASSWORD_CONFIRMATION_REQUIRED')
    },
  }
}

/**
 * Lists the readings of a header. HTTP says Latin-1 and clients send UTF-8, so a password with letters beyond ASCII is
 * tried both ways, which counts as one try.
 */
function readings(header: string): string[] {
  const short = header.slice(0, PASSWORD_LENGTH_MAX * 4)
  const bytes = Buffer.from(short, 'latin1')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the point is to find what is not ASCII
  if (/^[\x00-\x7f]*$/.test(short) || bytes.toString('latin1') !== short) return [short]
  return [short, bytes.toString('utf8')]
}
