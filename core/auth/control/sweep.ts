import type { Tx } from '../../db/database.ts'

/** Removes expired sessions and counters. */
export async function sweepSessions(tx: Tx): Promise<void> {
  await tx`delete from core.account_session where account_session.expires_at < now()`
  await tx`delete from core.account_verification where account_verification.expires_at < now()`
}
