import postgres from 'postgres'
import { startEmbedded } from 'served-pglite'
import type { Settings } from './process.ts'

/**
 * Lets the leases of killed processes run out at once: those on jobs (20 s) and on requests with an idempotency key (60 s). A server
 * that is alive would lose its own, so none may be running on the store.
 */
export async function lapseLeases(store: Settings): Promise<void> {
  await onStore(store, async sql => {
    await sql`update core.worker_lease set renewed_at = renewed_at - interval '1 hour'`
    await sql`update core.idempotent_response set leased_until = leased_until - interval '1 hour'`
  })
}

/** Works as a superuser on the database of a store; the embedded one belongs to its server while that runs. */
export async function onStore(store: Settings, work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const embedded = store.DATABASE_URL ? undefined : await startEmbedded({ folder: `${store.DATA_DIR}/postgres` })
  const sql = postgres(store.DATABASE_URL ?? embedded?.url ?? '', { max: 1, onnotice: () => undefined })
  try {
    await work(sql)
  } finally {
    await sql.end({ timeout: 2 })
    await embedded?.stop()
  }
}
