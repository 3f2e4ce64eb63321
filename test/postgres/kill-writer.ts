/**
 * A process for kill.test.ts: opens the embedded database in the folder given, reports what it finds there, and writes
 * with five connections until it is killed. Lines on stdout: `found <json>`, then `kept <key>` per acknowledged commit.
 */
import { writeSync } from 'node:fs'
import postgres from 'postgres'
import { startEmbedded } from 'served-pglite'

const [folder = '', round = ''] = process.argv.slice(2)
const database = await startEmbedded({ folder })
const sql = postgres(database.url, { max: 5, onnotice: () => {} })
await sql.unsafe(`create table if not exists kept (key text not null, half int not null, pad text, primary key (key, half));
  create table if not exists total (round text primary key, n int not null)`)
const rows = await sql<{ key: string; halves: number }[]>`
  select key, count(*)::int as halves from kept group by key`
const [counted] = await sql<{ n: number }[]>`select coalesce(sum(n), 0)::int as n from total`
await sql`insert into total values (${round}, 0)`
report(
  `found ${JSON.stringify({
    keys: rows.map(row => row.key),
    torn: rows.filter(row => row.halves !== 2).length,
    counted: counted?.n,
  })}`,
)
await Promise.all(
  Array.from({ length: 5 }, async (_, writer) => {
    for (let i = 0; ; i++) {
      const key = `${round}-${writer}-${i}`
      await sql.begin(async tx => {
        await tx`insert into kept values (${key}, 1, ${'x'.repeat(500)})`
        await tx`insert into kept values (${key}, 2, ${'y'.repeat(500)})`
        await tx`update total set n = n + 1 where round = ${round}`
      })
      report(`kept ${key}`)
    }
  }),
)

/** Written at once, so that a kill cannot take it back. */
function report(line: string): void {
  writeSync(1, `${line}\n`)
}
