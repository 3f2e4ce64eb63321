import type pg from 'pg'
import type { Storage } from '../core/db/storage.ts'
import { messageOf } from '../core/failure-reason.ts'

type Opened = Pick<Storage, 'kind' | 'pool'>

interface Table {
  readonly name: string
  readonly bytes: number
}

/**
 * Rewrites the files of the database, so that nothing of deleted rows is left in their free space, nor in indexes and statistics, and begins
 * the WAL anew. Each table is locked while it is rewritten. @returns the exit code: 1 where something could not be done
 */
export async function purge({ kind, pool }: Opened, print: (line: string) => void): Promise<number> {
  const began = performance.now()
  const client = await pool.connect()
  try {
    const before = await sizeOf(client)
    const tables = await tablesToRewrite(client)
    print(
      `Rewriting ${tables.length} tables of ${mb(before)} in all. Each is locked against reading and writing while it is rewritten, and needs as much free disk space again.`,
    )
    await client.query('set statement_timeout = 0')
    let longest = { name: '', ms: 0 }
    const timed = async (name: string, statement: string) => {
      const from = performance.now()
      await client.query(statement)
      const ms = performance.now() - from
      if (ms > longest.ms) longest = { name, ms }
    }
    for (const { name } of tables) await timed(name, `vacuum (full, analyze) ${name}`)
    const left = await attempted([
      // The statistics of columns hold values of rows, and were written anew just now.
      ['the statistics of columns', () => timed('pg_statistic', 'vacuum (full) pg_catalog.pg_statistic')],
      ['the indexes of the catalog', async () => timed('indexes', await reindexStatement(client))],
      ['the WAL', () => renewWal(kind, client)],
    ])
    for (const line of left) print(line)
    const [seconds, longestSeconds] = [performance.now() - began, longest.ms].map(ms => (ms / 1000).toFixed(1))
    print(
      `Done in ${seconds} s; the longest lock took ${longestSeconds} s (${longest.name}). The database had ${mb(before)} and has ${mb(await sizeOf(client))}.`,
    )
    return left.length === 0 ? 0 : 1
  } finally {
    client.release(true)
  }
}

const mb = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

async function sizeOf(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes')
  return Number(rows[0]?.bytes ?? 0)
}

/** Tables of which this role may do so, the largest last, so that an interruption leaves the most done. */
async function tablesToRewrite(client: pg.PoolClient): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; bytes: string }>(`
    select pg_class.oid::regclass::text as name, pg_total_relation_size(pg_class.oid) as bytes
    from pg_class
    where pg_class.relkind in ('r', 'm')
      and pg_class.relpersistence = 'p'
      and pg_class.relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
      and pg_has_role(pg_class.relowner, 'usage')
    order by 2, 1`)
  return rows.map(({ name, bytes }) => ({ name, bytes: Number(bytes) }))
}

async function reindexStatement(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query<{ name: string }>(`select quote_ident(current_database()) as name`)
  return `reindex database ${rows[0]?.name ?? ''}`
}

/** Postgres uses old segments again, with what they hold; only the embedded one can be told to remove them instead. */
async function renewWal(kind: Storage['kind'], client: pg.PoolClient): Promise<void> {
  if (kind === 'embedded') await client.query('set wal_recycle = off')
  await client.query('select pg_switch_wal()')
  await client.query('checkpoint')
}

/** Does what only some roles may do. @returns a line for each that could not be done */
async function attempted(works: readonly (readonly [what: string, work: () => Promise<void>])[]): Promise<string[]> {
  const lines: string[] = []
  for (const [what, work] of works) {
    await work().catch(error => {
      lines.push(`Not renewed: ${what} (${messageOf(error)}). A superuser can.`)
    })
  }
  return lines
}
