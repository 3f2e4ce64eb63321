import { expect, test } from 'bun:test'
import { codeOf, useClients } from '../clients.ts'

/** Runs 8 × 40 queries at once, of which each knows its right result; returns how many were wrong. */
async function wrongResults(query: (i: number) => Promise<[got: unknown, right: unknown]>): Promise<number> {
  let wrong = 0
  await Promise.all(
    Array.from({ length: 8 }, async (_, worker) => {
      for (let k = 0; k < 40; k++) {
        const [got, right] = await query(worker * 1000 + k)
        if (got !== right) wrong++
      }
    }),
  )
  return wrong
}

export function statementSuite(url: () => string): void {
  const open = useClients(url)

  test.each([true, false])('postgres.js with prepare: %p gets its own results from many connections', async prepare => {
    const sql = open.sql({ prepare })
    const wrong = await wrongResults(async i => {
      if (i % 3 === 0) return [(await sql`select ${i}::int as v`)[0]?.v, i]
      if (i % 3 === 1) return [(await sql`select ${`x${i}`}::text as v`)[0]?.v, `x${i}`]
      return [(await sql`select ${i}::int + ${1}::int as v, ${'q'}::text as z`)[0]?.v, i + 1]
    })
    expect(wrong).toBe(0)
  })

  test('pg with unnamed statements gets its own results from many connections', async () => {
    const pool = open.pool(8)
    const big = 'y'.repeat(200_000)
    const wrong = await wrongResults(async i => {
      if (i % 3 === 0) return [(await pool.query('select $1::int as v', [i])).rows[0].v, i]
      if (i % 3 === 1) return [(await pool.query('select $1::text as v', [`x${i}`])).rows[0].v, `x${i}`]
      return [(await pool.query('select $1::int + length($2::text) as v', [i, big])).rows[0].v, i + big.length]
    })
    expect(wrong).toBe(0)
  })

  test('two connections may give one name to different statements', async () => {
    const [a, b] = [open.client(), open.client()]
    await Promise.all([a.connect(), b.connect()])
    const run = async (client: typeof a, text: string) => (await client.query({ name: 'same', text })).rows[0].v
    expect(await run(a, 'select 1 as v')).toBe(1)
    expect(await run(b, 'select 2 as v')).toBe(2)
    expect(await run(a, 'select 1 as v')).toBe(1)
    expect(await run(b, 'select 2 as v')).toBe(2)
  })

  test('an error ends its own statement only', async () => {
    const sql = open.sql({ max: 6 })
    const good = Array.from({ length: 60 }, async (_, i) => (await sql`select ${i}::int as v`)[0]?.v === i)
    const bad = Array.from({ length: 60 }, (_, i) => codeOf(sql`select ${i}::int / 0 as v`))
    expect(new Set(await Promise.all(good))).toEqual(new Set([true]))
    expect(new Set(await Promise.all(bad))).toEqual(new Set(['22012']))
  })

  test('a query of several statements runs each until one fails', async () => {
    const sql = open.sql({ max: 1 })
    expect(await sql.unsafe('select 1 as v; select 2 as v').simple()).toMatchObject([[{ v: 1 }], [{ v: 2 }]])
    expect(await codeOf(sql.unsafe('select 1; select 1 / 0; select 2').simple())).toBe('22012')
    expect(await sql`select 3 as v`).toMatchObject([{ v: 3 }])
  })

  test('a cursor reads a large result in parts while others wait their turn', async () => {
    const sql = open.sql({ max: 2 })
    const other = sql`select 1 as v`
    let rows = 0
    for await (const part of sql`select g from generate_series(1, 5000) g`.cursor(500)) rows += part.length
    expect(rows).toBe(5000)
    expect(await other).toMatchObject([{ v: 1 }])
  })

  test('a result of many megabytes arrives whole', async () => {
    const sql = open.sql({ max: 1 })
    const rows = await sql<{ n: number }[]>`select g as n, repeat('z', 1000) as pad from generate_series(1, 20000) g`
    expect(rows).toHaveLength(20_000)
    expect(rows[19_999]?.n).toBe(20_000)
  })

  test('types keep their values: json, arrays, dates, bytes, big integers', async () => {
    const sql = open.sql({ max: 1 })
    const [row] = await sql`
      select ${sql.json({ a: [1, 'zwei', null] })}::jsonb as j, ${['x', 'y z', '"']}::text[] as t,
        ${new Date('2024-02-29T12:00:00.123Z')}::timestamptz as d, ${Buffer.from([0, 1, 255])}::bytea as b,
        ${'9007199254740993'}::bigint as i`
    expect(row).toMatchObject({ j: { a: [1, 'zwei', null] }, t: ['x', 'y z', '"'], i: '9007199254740993' })
    expect(row?.d).toEqual(new Date('2024-02-29T12:00:00.123Z'))
    expect([...(row?.b ?? [])]).toEqual([0, 1, 255])
  })
}
