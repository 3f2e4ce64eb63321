import { beforeEach, expect, test } from 'bun:test'
import { finished } from 'node:stream/promises'
import postgres from 'postgres'
import { useClients } from '../clients.ts'

export function copySuite(url: () => string): void {
  const open = useClients(url)

  beforeEach(async () => {
    const sql = postgres(url(), { max: 1, onnotice: () => {} })
    await sql.unsafe('drop table if exists copied; create table copied (a int, b text)')
    await sql.end()
  })

  async function copyIn(connection: postgres.ReservedSql | postgres.TransactionSql, lines: string[]): Promise<void> {
    const stream = await connection`copy copied from stdin`.writable()
    for (const line of lines) stream.write(`${line}\n`)
    stream.end()
    await finished(stream)
  }

  test('COPY brings rows in and out while other connections work', async () => {
    const sql = open.sql({ max: 4 })
    const others = Array.from({ length: 50 }, async (_, i) => (await sql`select ${i}::int as v`)[0]?.v)
    const connection = await sql.reserve()
    await copyIn(
      connection,
      Array.from({ length: 2000 }, (_, i) => `${i}\trow ${i}`),
    )
    connection.release()
    expect(await sql`select count(*)::int as n, max(b) as b from copied`).toMatchObject([{ n: 2000, b: 'row 999' }])
    let text = ''
    for await (const part of await sql`copy copied to stdout`.readable()) text += part
    expect(text.split('\n')).toHaveLength(2001)
    expect(await Promise.all(others)).toEqual(Array.from({ length: 50 }, (_, i) => i))
  })

  test('a COPY inside a transaction commits and rolls back with it', async () => {
    const sql = open.sql({ max: 1 })
    await sql
      .begin(async tx => {
        await copyIn(tx, ['1\tx'])
        throw new Error('no')
      })
      .catch(() => undefined)
    await sql.begin(tx => copyIn(tx, ['2\ty']))
    expect(await sql`select a from copied`).toMatchObject([{ a: 2 }])
  })
}
