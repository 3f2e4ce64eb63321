import { beforeEach, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { oncePerRun } from '../../test/support/closing.ts'
import { failure, openControlPlane } from '../../test/support/control-plane.ts'
import { ownDatabaseUrl } from '../../test/support/database.ts'
import { checkSealedColumns, resealAll } from '../boot/sealed-columns.ts'
import { selectPlugins } from '../boot/select.ts'
import type { Database } from '../db/database.ts'
import { type AnyPlugin, definePlugin, eraseTypes } from '../plugin.ts'
import { registerKey } from './key-registry.ts'
import { createKeyRing } from './key-ring.ts'
import { createSecretBox } from './secret-box.ts'
import type { SealedColumn, Secrets } from './secrets.ts'

const [former, present] = ['f'.repeat(32), 'p'.repeat(32)]
const formerRing = createKeyRing(former)
const bothRing = createKeyRing(present, [former])
const columns: readonly SealedColumn[] = [
  { purpose: 'signing-key', table: 'shop.receiver', column: 'secret', key: ['workspace_id', 'id'] },
  { purpose: 'count-of', table: 'shop.tally', column: 'sealed', key: ['workspace_id', 'number', 'name'] },
]
const running = new AbortController().signal
let database: Database

const plugin = (id: string, sealed: readonly SealedColumn[]): AnyPlugin =>
  eraseTypes(definePlugin({ id, version: '1', apiVersion: 1, sealed, setup: () => ({ scope: null }) }))
const shop = (sealed: readonly SealedColumn[] = columns) => plugin('shop', sealed)
const selection = selectPlugins([shop()], [], [])

beforeEach(async () => {
  const plane = await oncePerRun('reseal', async () => {
    const opened = await openControlPlane(await ownDatabaseUrl())
    await opened.storage.database.system(async tx => {
      await tx.unsafe(`
        create schema shop;
        create schema x_gone;
        create table shop.receiver (workspace_id uuid, id uuid, secret text, primary key (workspace_id, id));
        create table shop.tally (workspace_id uuid, number bigint, name text, sealed text, primary key (workspace_id, number, name));
        create table x_gone.kept (workspace_id uuid primary key, note text);
        insert into core.migration (owner, name, hash) values ('x_gone', '0001_create_kept.sql', '')`)
    })
    return opened
  })
  database = plane.storage.database
  await database.system(async tx => {
    await tx.unsafe('truncate shop.receiver, shop.tally, x_gone.kept; delete from core.encryption_key')
  })
  await registerKey(database, formerRing)
  await registerKey(database, bothRing)
})

/** Makes so many receivers whose secrets are their own ids. */
async function fill(count: number, secrets: Secrets): Promise<void> {
  const rows = Array.from({ length: count }, () => {
    const row = { workspace_id: randomUUID(), id: randomUUID() }
    return { ...row, secret: secrets.seal(row.id, { purpose: 'signing-key', row }) }
  })
  await database.system(
    tx => tx`
    insert into shop.receiver
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as new (workspace_id uuid, id uuid, secret text)`,
  )
}

const stored = () =>
  database.system(tx => tx<{ workspace_id: string; id: string; secret: string }[]>`select * from shop.receiver`)

/** Counts the stored secrets that the present key alone opens as what they were. */
async function openedWithPresent(): Promise<number> {
  const secrets = createSecretBox('shop', columns, createKeyRing(present))
  const rows = await stored()
  return rows.filter(({ secret, ...row }) => {
    try {
      return secrets.open(secret, { purpose: 'signing-key', row }) === row.id
    } catch {
      return false
    }
  }).length
}

const registered = async () =>
  (await database.system(tx => tx<{ id: string }[]>`select id from core.encryption_key order by id`)).map(
    ({ id }) => id,
  )
const before = createSecretBox('shop', columns, formerRing)
const now = createSecretBox('shop', columns, bothRing)

describe('sealing anew', () => {
  test('brings every value under the present key, in batches, and retires the former one', async () => {
    await fill(25, before)
    await fill(3, now)
    const row = { workspace_id: randomUUID(), number: 2 ** 40, name: 'Ünï "c\\ode" {,}' }
    const place = { purpose: 'count-of', row }
    await database.system(
      tx => tx`
      insert into shop.tally values
        (${row.workspace_id}, ${row.number}, ${row.name}, ${before.seal('seven', place)}),
        (${row.workspace_id}, 1, 'none', null)`,
    )
    const progress: number[] = []
    const options = {
      signal: running,
      batch: 10,
      progress: (_: unknown, resealed: number) => void progress.push(resealed),
    }
    const result = await resealAll(database, selection, bothRing, options)
    expect(result).toEqual({
      resealed: 26,
      complete: true,
      unopened: [],
      unreached: [],
      retired: [formerRing.current.id],
    })
    expect(progress).toEqual([10, 20, 25, 1])
    expect(await openedWithPresent()).toBe(28)
    const [kept] = await database.system(
      tx => tx<{ sealed: string }[]>`select sealed from shop.tally where sealed is not null`,
    )
    expect(createSecretBox('shop', columns, createKeyRing(present)).open(kept?.sealed ?? '', place)).toBe('seven')
    expect(await registered()).toEqual([bothRing.current.id])
  })

  test('goes on where it was broken off, whether by a signal or by a crash', async () => {
    await fill(30, before)
    const stop = new AbortController()
    const stopped = await resealAll(database, selection, bothRing, {
      signal: stop.signal,
      batch: 7,
      progress: () => stop.abort(),
    })
    expect(stopped).toMatchObject({ resealed: 7, complete: false, retired: [] })
    let transactions = 0
    const dying: Database = {
      ...database,
      system: work => {
        // The first transaction looks the columns up; the third batch does not come back.
        if (++transactions > 3) throw new Error('killed')
        return database.system(work)
      },
    }
    const crash = resealAll(dying, selection, bothRing, { signal: running, batch: 7 })
    expect((await failure(crash))?.message).toBe('killed')
    expect(await openedWithPresent()).toBe(21)
    expect(await registered()).toHaveLength(2)
    const rest = await resealAll(database, selection, bothRing, { signal: running, batch: 7 })
    expect(rest).toMatchObject({ resealed: 9, complete: true })
    expect(await openedWithPresent()).toBe(30)
  })

  test('keeps what a server writes meanwhile, and seals it anew in another pass', async () => {
    await fill(4, before)
    const [first, second] = await stored()
    if (!first || !second) throw new Error('nothing was stored')
    const rowOf = ({ workspace_id, id }: { workspace_id: string; id: string }) => ({ workspace_id, id })
    let written = false
    const racing: Database = {
      ...database,
      system: work =>
        database.system(async tx => {
          const result = await work(racingTx(tx))
          return result
        }),
    }
    // Between the reading and the writing of the batch a server with each key changes a row.
    const racingTx = (tx: Parameters<Parameters<Database['system']>[0]>[0]) =>
      new Proxy(tx, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name)
          if (name !== 'unsafe' || typeof value !== 'function') return value
          return async (statement: string, values: unknown[]) => {
            if (!written && statement.trimStart().startsWith('update')) {
              written = true
              const change = (row: typeof first, secret: string) =>
                target`update shop.receiver set secret = ${secret} where workspace_id = ${row.workspace_id} and id = ${row.id}`
              await change(first, before.seal(first.id, { purpose: 'signing-key', row: rowOf(first) }))
              await change(second, now.seal(second.id, { purpose: 'signing-key', row: rowOf(second) }))
            }
            return Reflect.apply(value, target, [statement, values])
          }
        },
      })
    const result = await resealAll(racing, selection, bothRing, { signal: running })
    expect(written).toBe(true)
    // Two are of the first pass, and one was written by a server with the former key.
    expect(result).toMatchObject({ resealed: 3, complete: true, retired: [formerRing.current.id] })
    expect(await openedWithPresent()).toBe(4)
  })

  test('leaves what no key opens as it is, names the rows, and keeps the former key', async () => {
    await fill(3, before)
    const rows = await stored()
    const [broken, swapped, other] = rows
    if (!broken || !swapped || !other) throw new Error('nothing was stored')
    const secretOf = (row: typeof broken, secret: string) =>
      database.system(tx => tx`update shop.receiver set secret = ${secret} where id = ${row.id}`)
    await secretOf(broken, 'plain text')
    await secretOf(swapped, other.secret)
    const result = await resealAll(database, selection, bothRing, { signal: running })
    expect(result).toMatchObject({ resealed: 1, complete: true, retired: [] })
    expect([...result.unopened].sort()).toEqual(
      [broken, swapped].map(({ workspace_id, id }) => `shop.receiver ${workspace_id}, ${id}`).sort(),
    )
    expect(await registered()).toHaveLength(2)
    expect((await stored()).find(({ id }) => id === broken.id)?.secret).toBe('plain text')
  })

  test('finds values of a plugin that is not loaded any more, and keeps the former key for them', async () => {
    const place = { purpose: 'signing-key', row: { workspace_id: randomUUID(), id: randomUUID() } }
    const keep = (note: string) => database.system(tx => tx`insert into x_gone.kept values (${randomUUID()}, ${note})`)
    await keep('s1. is how the note begins')
    await keep(now.seal('under the present key', place))
    await keep(before.seal('under the former key', place))
    const result = await resealAll(database, selection, bothRing, { signal: running })
    expect(result).toMatchObject({ complete: true, unreached: ['x_gone.kept.note'], retired: [] })
    expect(await registered()).toHaveLength(2)
    await database.system(tx => tx`delete from x_gone.kept where note like ${`s1.${formerRing.current.id}.%`}`)
    const later = await resealAll(database, selection, bothRing, { signal: running })
    expect(later).toMatchObject({ unreached: [], retired: [formerRing.current.id] })
  })

  test('is done for plugins that are switched off, also where they never made their tables', async () => {
    await fill(2, before)
    const never = columns.map(column => ({ ...column, table: 'never.made' }))
    const off = selectPlugins([shop(), plugin('never', never)], [], ['shop', 'never'])
    expect(await resealAll(database, off, bothRing, { signal: running })).toMatchObject({ resealed: 2, complete: true })
  })
})

test('declarations that do not fit the tables end the start with the plugin and what is wrong', async () => {
  const [column] = columns
  if (!column) throw new Error('no column')
  const wrong = [
    { ...column, purpose: 'lost', table: 'shop.recipient' },
    { ...column, purpose: 'stray', table: 'other.receiver', column: 'secret' },
    { ...column, purpose: 'odd', column: 'id', key: ['workspace_id', 'secret'] },
  ]
  const fault = await failure(checkSealedColumns(database, selectPlugins([shop(wrong)], [], [])))
  expect(fault?.message.split('\n')).toEqual([
    'plugin shop: the purpose lost in `sealed` does not fit its tables: shop.recipient.secret is no column of type text',
    'plugin shop: the purpose lost in `sealed` does not fit its tables: shop.recipient.workspace_id is no column of type uuid, text or integer',
    'plugin shop: the purpose lost in `sealed` does not fit its tables: shop.recipient.id is no column of type uuid, text or integer',
    'plugin shop: the purpose stray in `sealed` does not fit its tables: other.receiver is no table of its own schema, as shop.<table>',
    'plugin shop: the purpose odd in `sealed` does not fit its tables: shop.receiver.id is no column of type text',
  ])
  expect(await failure(checkSealedColumns(database, selection))).toBeUndefined()
})
