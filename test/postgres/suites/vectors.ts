import { beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { useClients } from '../clients.ts'

export function vectorSuite(url: () => string): void {
  const open = useClients(url)

  beforeAll(async () => {
    const sql = postgres(url(), { max: 1, onnotice: () => {} })
    await sql.unsafe(`create extension if not exists vector;
      create table point (id int primary key, e vector(3) not null, h halfvec(3) not null)`)
    for (let i = 0; i < 100; i++) {
      const text = `[${Math.cos(i / 20)},${Math.sin(i / 20)},0]`
      await sql`insert into point values (${i}, ${text}, ${text})`
    }
    await sql.end()
  })

  test('a vector comes back as it went in', async () => {
    const [row] = await open.sql({
      max: 1,
    })`select ${'[1,2.5,-3]'}::vector(3)::text as v, vector_dims('[1,2]'::vector) as d`
    expect(row).toMatchObject({ v: '[1,2.5,-3]', d: 2 })
  })

  test.each(['<=>', '<#>', '<->'])('an exact scan with %s finds the nearest', async operator => {
    const sql = open.sql({ max: 1 })
    const near = `[${Math.cos(2.5)},${Math.sin(2.5)},0]`
    expect(await sql.unsafe(`select id from point order by (e ${operator} $1) + 0 limit 1`, [near])).toMatchObject([
      { id: 50 },
    ])
    expect(await sql.unsafe(`select id from point order by (h ${operator} $1) + 0 limit 1`, [near])).toMatchObject([
      { id: 50 },
    ])
  })

  test('an HNSW index is built and used', async () => {
    const sql = open.sql({ max: 1 })
    await sql`create index point_hnsw on point using hnsw (e vector_cosine_ops)`
    await sql.begin(async tx => {
      await tx`set local enable_seqscan = off`
      await tx`set local hnsw.iterative_scan = relaxed_order`
      const query = `select id from point order by e <=> '[1,0,0]' limit 3`
      expect(JSON.stringify(await tx.unsafe(`explain ${query}`))).toContain('point_hnsw')
      expect(await tx.unsafe(query)).toMatchObject([{ id: 0 }, { id: 1 }, { id: 2 }])
    })
  })
}
