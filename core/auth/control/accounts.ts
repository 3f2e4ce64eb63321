import type { Tx } from '../../db/database.ts'

/** Better Auth names "signs in with e-mail and password" so. */
const PASSWORD_PROVIDER = 'credential'

const EMAILS_MAX = 10

/**
 * Makes an account that signs in with e-mail and password. The caller hashes the password first, outside of the
 * transaction, as that takes its time.
 */
export async function insertAccount(tx: Tx, email: string, passwordHash: string): Promise<string> {
  const address = email.toLowerCase()
  const [account] = await tx<{ id: string }[]>`
    insert into core.account (email, name, email_verified)
    values (${address}, ${address.split('@')[0] ?? address}, true)
    returning id`
  if (!account) throw new Error('the insert of an account returned no row')
  await tx`
    insert into core.account_credential (account_id, provider_id, provider_account_id, password)
    values (${account.id}, ${PASSWORD_PROVIDER}, ${account.id}, ${passwordHash})`
  return account.id
}

/** Returns the hash of the account's password, or undefined when it has none. */
export async function passwordHashOf(tx: Tx, accountId: string): Promise<string | undefined> {
  const [row] = await tx<{ password: string | null }[]>`
    select account_credential.password
    from core.account_credential
    where account_credential.account_id = ${accountId}
      and account_credential.provider_id = ${PASSWORD_PROVIDER}`
  return row?.password ?? undefined
}

/** Returns the first account that was made, which is the operator's. */
export async function firstAccountId(tx: Tx): Promise<string | undefined> {
  const [row] = await tx<{ id: string }[]>`
    select account.id from core.account order by account.created_at, account.id limit 1`
  return row?.id
}

/** Finds the account with an e-mail address, in any letter case. */
export async function findAccountId(tx: Tx, email: string): Promise<string | undefined> {
  const [row] = await tx<{ id: string }[]>`
    select account.id from core.account where account.email = ${email.toLowerCase()}`
  return row?.id
}

export async function emailOf(tx: Tx, accountId: string): Promise<string | undefined> {
  const [row] = await tx<{ email: string }[]>`select account.email from core.account where account.id = ${accountId}`
  return row?.email
}

/** Lists e-mail addresses of the accounts that were made first. */
export async function accountEmails(tx: Tx): Promise<string[]> {
  const rows = await tx<{ email: string }[]>`
    select account.email from core.account order by account.created_at, account.id limit ${EMAILS_MAX}`
  return rows.map(row => row.email)
}

/** Sets the password of an account, whether it had one or not. */
export async function replacePassword(tx: Tx, accountId: string, passwordHash: string): Promise<void> {
  const { count } = await tx`
    update core.account_credential
    set password = ${passwordHash}, updated_at = now()
    where account_credential.account_id = ${accountId} and account_credential.provider_id = ${PASSWORD_PROVIDER}`
  if (count > 0) return
  await tx`
    insert into core.account_credential (account_id, provider_id, provider_account_id, password)
    values (${accountId}, ${PASSWORD_PROVIDER}, ${accountId}, ${passwordHash})`
}

/** Ends all sessions of an account. */
export async function endSessions(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from core.account_session where account_session.account_id = ${accountId}`
}

/** Ends the oldest sessions of an account but for so many. */
export async function endOldestSessions(tx: Tx, accountId: string, kept: number): Promise<void> {
  await tx`
    delete from core.account_session
    where account_session.account_id = ${accountId}
      and account_session.id in (
        select oldest.id
        from core.account_session as oldest
        where oldest.account_id = ${accountId}
        order by oldest.created_at desc, oldest.id
        offset ${kept}
      )`
}
