import { beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { codeOf, cut, signal, useClients, within } from '../clients.ts'

export function transactionSuite(url: () => string): void {
  const open = useClients(url)

  beforeAll(async () => {
    const sql = postgres(url(), { max: 1, onnotice: () => {} })
    await sql.unsafe(`create table tx_counter (id int primary key, n int not null);
      insert into tx_counter values (1, 0);
      create table tx_row (id serial primary key, who text not null)`)
    await sql.end()
  })

  test('read-modify-write transactions of eight connections lose no update', async () => {
    const sql = open.sql()
    const increment = () =>
      sql.begin(async tx => {
        const [row] = await tx<{ n: number }[]>`select n from tx_counter where id = 1 for update`
        await tx`update tx_counter set n = ${(row?.n ?? 0) + 1} where id = 1`
      })
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let i = 0; i < 25; i++) await increment()
      }),
    )
    expect(await sql`select n from tx_counter`).toMatchObject([{ n: 200 }])
  })

  test('fifty connections are served', async () => {
    const sql = open.sql({ max: 50 })
    const held = signal()
    let ready = 0
    const rows = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const connection = await sql.reserve()
        ready++
        if (ready === 50) held.resolve()
        await held.promise
        const [row] = await connection<{ v: number }[]>`select ${i}::int as v`
        connection.release()
        return row?.v
      }),
    )
    expect(rows).toEqual(Array.from({ length: 50 }, (_, i) => i))
  })

  test('what a transaction has rolled back is gone', async () => {
    const sql = open.sql()
    const failed = sql.begin(async tx => {
      await tx`insert into tx_row (who) values ('rolled back')`
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await sql`select * from tx_row where who = 'rolled back'`).toHaveLength(0)
  })

  test('a savepoint undoes only what came after it', async () => {
    const sql = open.sql()
    await sql.begin(async tx => {
      await tx`insert into tx_row (who) values ('outer')`
      await tx.savepoint(inner => inner`select 1 / 0`).catch(() => undefined)
      await tx`insert into tx_row (who) values ('after')`
    })
    expect(await sql`select who from tx_row where who in ('outer', 'after') order by id`).toMatchObject([
      { who: 'outer' },
      { who: 'after' },
    ])
  })

  test('a failed transaction refuses statements until it ends, and others are not affected', async () => {
    const client = open.client()
    await client.connect()
    await client.query('begin')
    expect(await codeOf(client.query('select 1 / 0'))).toBe('22012')
    expect(await codeOf(client.query('select 1'))).toBe('25P02')
    await client.query('rollback')
    expect((await client.query('select 1 as v')).rows).toEqual([{ v: 1 }])
  })

  test('advisory transaction locks exclude each other', async () => {
    const sql = open.sql({ max: 2 })
    const order: string[] = []
    const locked = signal()
    const first = sql.begin(async tx => {
      await tx`select pg_advisory_xact_lock(43)`
      order.push('first in')
      locked.resolve()
      await tx`select pg_sleep(0.05)`
      order.push('first out')
    })
    await locked.promise
    const second = sql.begin(async tx => {
      await tx`select pg_advisory_xact_lock(43)`
      order.push('second in')
    })
    await Promise.all([first, second])
    expect(order).toEqual(['first in', 'first out', 'second in'])
  })

  test('set_config local to a transaction ends with it, whether it commits or not', async () => {
    const sql = open.sql({ max: 1 })
    const inside = await sql.begin(async tx => {
      await tx`select set_config('mneme.test', 'inside', true)`
      return tx`select current_setting('mneme.test', true) as v`
    })
    expect(inside).toMatchObject([{ v: 'inside' }])
    await sql
      .begin(async tx => {
        await tx`select set_config('mneme.test', 'inside', true)`
        await tx`select 1 / 0`
      })
      .catch(() => undefined)
    const [after] = await sql<{ v: string | null }[]>`select current_setting('mneme.test', true) as v`
    expect(after?.v ?? '').toBe('')
  })

  test('the transaction of a client that dies is rolled back and others proceed', async () => {
    const client = open.client()
    await client.connect()
    await client.query('begin')
    await client.query(`insert into tx_row (who) values ('ghost')`)
    cut(client)
    const sql = open.sql({ max: 1 })
    expect(await within(20_000, sql`select * from tx_row where who = 'ghost'`.execute())).toHaveLength(0)
  })

  test('a client that dies while its statement runs does no harm', async () => {
    const client = open.client()
    await client.connect()
    client.query('select count(*) from generate_series(1, 300000)').catch(() => undefined)
    cut(client)
    expect(await within(20_000, open.sql({ max: 1 })`select 1 as v`.execute())).toMatchObject([{ v: 1 }])
  })

  test('vacuum, analyze and create index work', async () => {
    const sql = open.sql({ max: 1 })
    await sql`vacuum (analyze) tx_row`
    await sql`create index on tx_row (who)`
    await sql`create index concurrently on tx_row (who)`
    const [row] = await sql<{ valid: boolean }[]>`
      select bool_and(indisvalid) as valid from pg_index where indrelid = 'tx_row'::regclass`
    expect(row?.valid).toBe(true)
  })
}
