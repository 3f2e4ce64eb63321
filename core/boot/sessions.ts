import type { PoolClient } from 'pg'
import type { Storage } from '../db/storage.ts'
import { StartError } from './explain.ts'

/**
 * Refuses a pooler that lends a session to one client for a transaction and to another for the next: notifications of new jobs would get
 * lost there, and settings of one client reach others. Two clients that are connected at once have one session behind it, and never elsewhere.
 * @throws StartError
 */
export async function checkSessions({ pool, database }: Pick<Storage, 'pool' | 'database'>): Promise<void> {
  const one = await pool.connect()
  try {
    const other = await pool.connect()
    try {
      if ((await sessionOf(one)) !== (await sessionOf(other))) return
    } finally {
      other.release()
    }
  } finally {
    one.release()
  }
  // The embedded database is a single session by its nature, and its clients take turns.
  if (!(await database.isConcurrent())) return
  throw new StartError(
    'DATABASE_URL leads to a pooler of transactions, and Mneme needs sessions of its own. Give the address of the database itself, or have the pooler pool sessions (docs/operating.md).',
  )
}

async function sessionOf(client: PoolClient): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}
