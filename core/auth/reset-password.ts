import type { Database } from '../db/database.ts'
import { randomText } from './api-key.ts'
import { accountEmails, endSessions, findAccountId, replacePassword } from './control/accounts.ts'
import { hashPassword } from './password.ts'

/** A generated password has so many letters and digits. */
export const MADE_PASSWORD_LENGTH = 20

/** Holds the new password or, where no account has the address, some addresses that accounts have. */
export type PasswordReset = { readonly password: string } | { readonly known: readonly string[] }

/**
 * Gives an account a new password and ends all its sessions (within 5 seconds on servers that run). Its caller has the
 * database and so may do everything anyway; API keys go on working.
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
    return { password }
  })
}
