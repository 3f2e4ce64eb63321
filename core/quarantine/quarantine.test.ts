import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { controlPlane } from '../../test/support/control-plane.ts'
import { noTurn } from '../../test/support/no-turn.ts'
import { quarantineOf } from '../../test/support/quarantine.ts'
import type { Database } from '../db/database.ts'
import { examine, release } from '../doctor.ts'
import { fail } from '../errors.ts'
import type { Quarantine } from './quarantine.ts'

interface Item {
  readonly workspace: string
  readonly id: string
}

let database: Database
let quarantine: Quarantine
let workspaces: string[]

beforeAll(async () => {
  const plane = await controlPlane()
  database = plane.storage.database
  quarantine = quarantineOf('fruit', database)
  workspaces = await database.system(async tx => {
    const [account] = await tx<{ id: string }[]>`
      insert into core.account (id, email, name) values (${randomUUID()}, ${`${randomUUID()}@fruit.test`}, 'Fruit') returning id`
    const rows = await Promise.all(
      ['one', 'two'].map(
        name => tx<{ id: string }[]>`
          insert into core.workspace (id, account_id, name, plan)
          values (${randomUUID()}, ${account?.id ?? ''}, ${name}, 'unlimited') returning id`,
      ),
    )
    return rows.map(([row]) => row?.id ?? '').toSorted()
  })
})

/** Sweeps items of which some cannot be worked on. @returns the ids that were done, and how often work was asked for */
async function sweep(
  name: string,
  items: readonly Item[],
  isBad: (id: string) => boolean,
  error = new Error('it is rotten'),
  by = quarantine,
) {
  const done: string[] = []
  let calls = 0
  const outcome = await by.sweep({
    name,
    items,
    workspaceOf: item => item.workspace,
    idOf: item => item.id,
    signal: new AbortController().signal,
    async work(_, own) {
      calls++
      if (own.some(({ id }) => isBad(id))) throw error
      done.push(...own.map(({ id }) => id))
    },
  })
  return { ...outcome, done: done.toSorted(), calls }
}

const sweepName = () => `fruit:${randomUUID().slice(0, 8)}`
const items = (workspace: string, prefix: string, count: number): Item[] =>
  Array.from({ length: count }, (_, n) => ({ workspace, id: `${prefix}${String(n).padStart(2, '0')}` }))
const lapse = (name: string) =>
  database.system(tx => tx`update core.quarantine set retry_at = now() - interval '1 minute' where sweep = ${name}`)
const heldOf = async (name: string) => [
  ...(await database.system(
    tx => tx<{ row_id: string; attempts: number; hours: number }[]>`
      select row_id, attempts, round(extract(epoch from retry_at - now()) / 3600)::int as hours
      from core.quarantine where sweep = ${name} order by row_id`,
  )),
]

describe('a sweep', () => {
  test('leaves out what it fails on, does all else, and works on everything again once that is well', async () => {
    const name = sweepName()
    const [one = '', two = ''] = workspaces
    const all = [...items(one, 'a', 16), ...items(two, 'b', 3)]
    const bad = (id: string) => id === 'a05'
    const first = await sweep(name, all, bad)
    expect(first.done).toEqual(all.map(({ id }) => id).filter(id => !bad(id)))
    expect(first.heldBack).toBe(1)
    // Both halves on each of the four ways down to the bad one, and one for the other workspace.
    expect(first.calls).toBe(10)
    expect(await heldOf(name)).toMatchObject([{ row_id: 'a05', attempts: 1, hours: 1 }])
    // Held back, it costs nothing.
    const second = await sweep(name, all, bad)
    expect([second.calls, second.heldBack]).toEqual([2, 1])
    await lapse(name)
    await sweep(name, all, bad)
    expect(await heldOf(name)).toMatchObject([{ row_id: 'a05', attempts: 2, hours: 2 }])
    await lapse(name)
    expect((await sweep(name, all, () => false)).heldBack).toBe(0)
    expect(await heldOf(name)).toEqual([])
  })

  test('shows what it left out from 0, so that the first failure is an increase', async () => {
    const registry = new Registry()
    const name = sweepName()
    await sweep(name, [], () => false, undefined, quarantineOf('fruit', database, undefined, registry))
    expect(await registry.metrics()).toContain(`mneme_quarantined_total{plugin="fruit",sweep="${name}"} 0`)
  })

  test('gives a workspace up when all of it fails, and goes on with the others', async () => {
    const name = sweepName()
    const [one = '', two = ''] = workspaces
    const all = [...items(one, 'a', 200), ...items(two, 'b', 3)]
    const { done, calls, heldBack } = await sweep(name, all, id => id.startsWith('a'))
    expect(done).toEqual(['b00', 'b01', 'b02'])
    expect(calls).toBeLessThan(120)
    expect(heldBack).toBe(200)
    expect((await heldOf(name)).map(row => row.row_id)).toContain('')
    expect(await sweep(name, all, id => id.startsWith('a'))).toMatchObject({ calls: 1, heldBack: 200, wasBusy: false })
  })

  test('does not hold items back for what none of them is to blame for', async () => {
    const name = sweepName()
    const all = items(workspaces[0] ?? '', 'a', 2)
    const away = fail('SERVICE_UNAVAILABLE', { cause: Object.assign(new Error('away'), { code: 'ECONNREFUSED' }) })
    await expect(sweep(name, all, () => true, away)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await sweep(name, all, () => true, fail('WORKSPACE_NOT_FOUND'))).toMatchObject({ done: [], heldBack: 0 })
    expect(await heldOf(name)).toEqual([])
  })

  test('leaves a workspace that takes all its turns to a later run, which goes on with the others', async () => {
    const name = sweepName()
    const [one = '', two = ''] = workspaces
    const all = [...items(one, 'a', 4), ...items(two, 'b', 2)]
    let now = 1000
    const own = quarantineOf('fruit', database, () => now)
    const outcome = await sweep(name, all, id => id.startsWith('a'), await noTurn(), own)
    expect(outcome).toEqual({ done: ['b00', 'b01'], calls: 2, heldBack: 0, wasBusy: true })
    expect(await heldOf(name)).toEqual([])
    // Its many items would take the place of the others' for as long as it is busy.
    const found = () =>
      database.system(
        tx => tx<{ workspace: string }[]>`
          select fruit.workspace
          from (values (${one}::uuid, 'a00'), (${two}::uuid, 'b00')) as fruit (workspace, id)
          where ${own.admits(tx, name, 'fruit.workspace', 'fruit.id')}
          order by fruit.id`,
      )
    now += 29_999
    expect((await found()).map(({ workspace }) => workspace)).toEqual([two])
    now += 2
    expect((await found()).map(({ workspace }) => workspace)).toEqual([one, two])
  })

  test('tries fewer items of a workspace whose statement takes too long, and stops no other', async () => {
    const name = sweepName()
    const [one = '', two = ''] = workspaces
    const all = [...items(one, 'a', 4), ...items(two, 'b', 2)]
    const slow = fail('SERVICE_UNAVAILABLE', { cause: Object.assign(new Error('cancelled'), { code: '57014' }) })
    const { done } = await sweep(name, all, id => id === 'a02', slow)
    expect(done).toEqual(['a00', 'a01', 'a03', 'b00', 'b01'])
  })

  test('finds items without those that are held back', async () => {
    const name = sweepName()
    const [one = ''] = workspaces
    await sweep(name, items(one, 'a', 3), id => id === 'a01')
    const find = () =>
      database.system(
        tx => tx<{ id: string }[]>`
          select fruit.id
          from (values (${one}::uuid, 'a00'), (${one}::uuid, 'a01')) as fruit (workspace_id, id)
          where ${quarantine.admits(tx, name, 'fruit.workspace_id', 'fruit.id')}
          order by fruit.id`,
      )
    expect((await find()).map(row => row.id)).toEqual(['a00'])
    await lapse(name)
    expect((await find()).map(row => row.id)).toEqual(['a00', 'a01'])
  })

  test('keeps no values of rows that the database quotes', async () => {
    const name = sweepName()
    const [one = ''] = workspaces
    await quarantine.sweep({
      name,
      items: [one],
      workspaceOf: id => id,
      signal: new AbortController().signal,
      work: () => database.system(tx => tx.unsafe(`select 'a private matter'::int`)),
    })
    const { findings } = await database.system(examine)
    const [finding] = findings.filter(({ what }) => what === name)
    expect(finding).toMatchObject({
      kind: 'quarantined',
      workspaceId: one,
      error: '22P02 invalid input syntax for type integer',
    })
  })
})

describe('an operator', () => {
  test('sees what is held back and gives it back, once', async () => {
    const name = sweepName()
    const [one = ''] = workspaces
    const all = items(one, 'a/', 2)
    await sweep(name, all, id => id === 'a/01')
    const { findings } = await database.system(examine)
    const finding = findings.find(({ what }) => what === name)
    expect(finding).toMatchObject({ id: `${name}/${one}/a/01`, workspaceId: one, error: 'it is rotten', attempts: 1 })
    expect(await database.system(tx => release(tx, finding?.id ?? ''))).toBe(true)
    expect(await database.system(tx => release(tx, finding?.id ?? ''))).toBe(false)
    expect((await sweep(name, all, () => false)).done).toEqual(['a/00', 'a/01'])
  })

  test('is told of no such thing where there is none', async () => {
    for (const id of ['', 'nonsense', 'a:b/not-a-uuid/x', `no.table/${workspaces[0]}/x`, 'job/x', 'job/999999999'])
      expect(await database.system(tx => release(tx, id))).toBe(false)
  })
})
