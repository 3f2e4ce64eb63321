import type { Database } from '../db/database.ts'
import { randomText } from './api-key.ts'
import { accountEmails, endSessions, findAccountId, replacePassword } from './control/accounts.ts'
import { forgetTries, type LockedPlace, lockedPlaces } from './control/password-attempts.ts'
import { hashPassword } from './password.ts'

/** A generated password has so many letters and digits. */
export const MADE_PASSWORD_LENGTH = 20

/**
 * Holds the new password and the places that no account signs in from yet or, where no account has the address, some
 * addresses that accounts have.
 */
export type PasswordReset =
  | { readonly password: string; readonly locked: readonly LockedPlace[] }
  | { readonly known: readonly string[] }

/**
 * Gives an account a new password, ends all its sessions (within 5 seconds on servers that run) and forgets its wrong
 * tries, since whoever lost a password has just made some. Its caller has the database and so may do everything anyway;
 * API keys go on working.
 */
export async function resetPassword(database: Database, email: string): Promise<PasswordReset> {
  const password = randomText(MADE_PASSWORD_LENGTH)
  // The password is hashed before the transaction, since everyone waits for the embedded database's one connection.
  const hash = await hashPassword(password)
  return database.system(async tx => {
    const accountId = await findAccountId(tx, email)
    if (accountId === undefined) return { known: await accountEmails(tx) }
    await replacePassword(tx, accountId, hash)
    await endSessions(tx, accountId)
    await forgetTries(tx, accountId)
    return { password, locked: await lockedPlaces(tx) }
  })
}
