import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { startEmbedded } from 'served-pglite'
import { ENCRYPTION_KEY, openAccounts } from '../../test/support/accounts.ts'
import { onEnd } from '../../test/support/closing.ts'
import { createNative, temporaryFolder } from '../../test/support/database.ts'
import { startServer } from '../../test/support/process.ts'
import { endBench, nativeServer } from '../support/service.ts'

/** Starts a service on a database of its own, native where there is a server for it, whose graph can be awaited and looked into. */
export async function startReadService(settings: Readonly<Record<string, string>> = {}) {
  const native = nativeServer()
  const url = native ? await createNative(native) : await openEmbedded()
  const server = await startServer({ DATABASE_URL: url, ENCRYPTION_KEY, LOG_LEVEL: 'error', ...settings })
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  const accounts = openAccounts(url, server.client(''))
  return {
    sql,
    accounts,
    /** Waits until the graph has read all memories. Bounded by ten minutes. */
    async graphIsRead(): Promise<void> {
      const deadline = Date.now() + 600_000
      while (Date.now() < deadline) {
        const [row] = await sql<{ waiting: number; read: number; memories: number }[]>`
          select
            (select count(*)::integer from graph.reading where due_at is not null) as waiting,
            (select count(*)::integer from graph.reading) as read,
            (select count(*)::integer from memories.memory where live) as memories`
        if (row && row.waiting === 0 && row.read === row.memories) return
        await pause(20)
      }
      throw new Error('the graph is still being read after ten minutes')
    },
    async stop(): Promise<void> {
      await accounts.close()
      await sql.end()
      await server.stop()
      await endBench()
    },
  }
}

async function openEmbedded(): Promise<string> {
  const embedded = await startEmbedded({ folder: join(await temporaryFolder(), 'postgres') })
  onEnd(() => embedded.stop())
  return embedded.url
}
