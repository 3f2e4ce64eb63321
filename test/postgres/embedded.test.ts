import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedPostgres, FolderInUseError, startEmbedded } from 'served-pglite'
import { BackendType, concat, cString, FrontendType, frame, int32, queryFrame, syncFrame } from 'served-pglite/wire'
import { APP_ROLE } from '../../core/db/app-role.ts'
import { until } from '../support/wait.ts'
import { codeOf, signal, useClients, within } from './clients.ts'
import { errorCode, firstRow, letters, parse, RawClient, run } from './raw-client.ts'

const idleInTransactionMs = 300
const parent = mkdtempSync(join(tmpdir(), 'mneme-embedded-'))
const folder = join(parent, 'postgres')
let database: EmbeddedPostgres

beforeAll(async () => {
  // Leftovers of a creation that was killed must not be in the way.
  mkdirSync(join(folder, 'pgdata.unfinished'), { recursive: true })
  writeFileSync(join(folder, 'pgdata.unfinished', 'PG_VERSION'), 'half written')
  database = await startEmbedded({ folder, idleInTransactionMs, requestRole: APP_ROLE })
})

afterAll(async () => {
  await database.stop()
  rmSync(parent, { recursive: true, force: true })
})

const open = useClients(() => database.url)

/** Sends a simple query and reads its replies. */
async function query(client: RawClient, sql: string) {
  client.send(queryFrame(sql))
  return client.until(BackendType.readyForQuery)
}

describe('durability', () => {
  test('Postgres runs with fsync and full page writes, through the call that reaches the disk', async () => {
    const rows = await open.sql({ max: 1 })`select current_setting('fsync') as fsync,
      current_setting('full_page_writes') as pages, current_setting('wal_sync_method') as method,
      current_setting('synchronous_commit') as commit`
    expect(rows).toMatchObject([{ fsync: 'on', pages: 'on', method: 'fsync', commit: 'on' }])
  })
})

describe('the folder', () => {
  test('is refused to a second opener, also through a symbolic link', async () => {
    const link = join(parent, 'link')
    symlinkSync(folder, link)
    await expect(startEmbedded({ folder })).rejects.toBeInstanceOf(FolderInUseError)
    await expect(startEmbedded({ folder: link })).rejects.toBeInstanceOf(FolderInUseError)
  })
})

describe('entering', () => {
  test('a wrong password is refused', async () => {
    const client = await RawClient.connect(database.url)
    client.start('postgres', 'postgres')
    client.send(frame(FrontendType.password, cString('wrong')))
    expect(errorCode(await client.until(BackendType.readyForQuery))).toBe('28P01')
  })

  test.each([
    ['another role', 'someone', 'postgres', '28000'],
    ['another database', 'postgres', 'elsewhere', '3D000'],
  ])('%s is refused', async (_, user, name, code) => {
    const client = await RawClient.connect(database.url)
    client.start(user, name)
    expect(errorCode(await client.until(BackendType.readyForQuery))).toBe(code)
  })

  test('a request for encryption is declined, and the session goes on without', async () => {
    const client = await RawClient.connect(database.url)
    client.send(int32(8), int32(80_877_103))
    expect(await client.byte()).toBe('N'.charCodeAt(0))
    client.destroy()
  })
})

describe('a client that breaks the protocol', () => {
  test.each([
    ['an unknown message type', frame(0x21), '08P01'],
    ['an impossible length', Uint8Array.of(0x51, 0, 0, 0, 0), '08P01'],
    ['a message over the limit', concat([Uint8Array.of(0x51), int32(300_000_000)]), '54000'],
  ])('is sent away for %s, and nobody else is', async (_, bytes, code) => {
    const [client, other] = [await RawClient.open(database.url), await RawClient.open(database.url)]
    client.send(bytes)
    expect(errorCode(await client.until(BackendType.readyForQuery))).toBe(code)
    expect(firstRow(await query(other, 'select 1'))).toEqual(['1'])
    other.destroy()
  })
})

describe('the one backend', () => {
  test('a client idle in a transaction is sent away with 25P03 and its work undone', async () => {
    const client = await RawClient.open(database.url)
    await query(client, 'create table idle_left (a int)')
    await query(client, 'begin')
    await query(client, 'insert into idle_left values (1)')
    expect(errorCode(await within(20_000, client.until(BackendType.readyForQuery)))).toBe('25P03')
    expect(await open.sql({ max: 1 })`select * from idle_left`).toHaveLength(0)
  })

  test('a second connection inside a transaction ends in an error instead of a hang', async () => {
    const sql = open.sql({ max: 2 })
    const outcome = sql.begin(async tx => {
      await tx`select 1`
      await sql`select 2`
      await tx`select 3`
    })
    expect(await within(20_000, Promise.resolve(codeOf(outcome)))).not.toBe('none')
    expect(await open.sql({ max: 1 })`select 4 as v`).toMatchObject([{ v: 4 }])
  })

  test('an unnamed statement survives that another client prepares one', async () => {
    const [a, b] = [await RawClient.open(database.url), await RawClient.open(database.url)]
    a.send(parse('', `select 'of a'`), syncFrame)
    expect(letters(await a.until(BackendType.readyForQuery))).toBe('1Z')
    b.send(parse('', `select 'of b'`), syncFrame)
    await b.until(BackendType.readyForQuery)
    a.send(run(''), syncFrame)
    const replies = await a.until(BackendType.readyForQuery)
    expect(letters(replies)).toBe('2DCZ')
    expect(firstRow(replies)).toEqual(['of a'])
    a.destroy()
    b.destroy()
  })

  test('an unnamed statement survives that a client of requests prepares a named one', async () => {
    await open.sql({ max: 1 }).unsafe(`create role ${APP_ROLE} nologin`)
    const [a, b] = [await RawClient.open(database.url), await RawClient.open(database.requestUrl, APP_ROLE)]
    for (const round of ['first', 'second']) {
      a.send(parse('', `select 'of a'`), syncFrame)
      await a.until(BackendType.readyForQuery)
      b.send(parse(round, `select 'of b'`), run(round), syncFrame)
      expect(firstRow(await b.until(BackendType.readyForQuery))).toEqual(['of b'])
      a.send(run(''), syncFrame)
      expect(firstRow(await a.until(BackendType.readyForQuery))).toEqual(['of a'])
    }
    a.destroy()
    b.destroy()
  })

  test('commits wait for the next one where the queue makes them, and nowhere else, whoever comes in between', async () => {
    const [owner, request, queue] = [
      await RawClient.open(database.url),
      await RawClient.open(database.requestUrl, APP_ROLE),
      await RawClient.open(database.queueUrl, 'queue'),
    ]
    const waits = async (client: RawClient) => {
      client.send(queryFrame('show synchronous_commit'))
      return firstRow(await client.until(BackendType.readyForQuery))?.[0] === 'off'
    }
    const order = [queue, owner, queue, request, queue, queue, request, owner, request, queue]
    const found: boolean[] = []
    for (const client of order) found.push(await waits(client))
    expect(found).toEqual(order.map(client => client === queue))
    // A transaction keeps what it began with.
    owner.send(queryFrame('begin'))
    await owner.until(BackendType.readyForQuery)
    queue.send(queryFrame('show synchronous_commit'))
    expect(await waits(owner)).toBe(false)
    owner.send(queryFrame('commit'))
    await owner.until(BackendType.readyForQuery)
    expect(firstRow(await queue.until(BackendType.readyForQuery))).toEqual(['off'])
    for (const client of [owner, request, queue]) client.destroy()
  })

  test('Flush is answered before Sync, and a client that dies in between holds nobody up', async () => {
    const client = await RawClient.open(database.url)
    client.send(parse('', 'select 1'), frame(FrontendType.flush))
    expect((await client.next())?.type).toBe(BackendType.parseComplete)
    client.destroy()
    expect(await within(20_000, open.sql({ max: 1 })`select 1 as v`.execute())).toMatchObject([{ v: 1 }])
  })

  test('prepared statements of a closed connection are given up', async () => {
    const sql = open.sql({ max: 1 })
    const count = async () => (await sql`select count(*)::int as n from pg_prepared_statements`)[0]?.n
    const before = await count()
    const client = await RawClient.open(database.url)
    client.send(parse('kept', 'select 1'), syncFrame)
    await client.until(BackendType.readyForQuery)
    expect(await count()).toBe(before + 1)
    client.destroy()
    await until('it is given up', async () => (await count()) === before)
  })

  test('a client that does not read its replies delays nobody and gets them all in the end', async () => {
    const slow = await RawClient.open(database.url)
    slow.pause()
    const big = queryFrame(`select repeat('x', 1000000) from generate_series(1, 12)`)
    slow.send(big, big, big)
    const sql = open.sql({ max: 1 })
    for (let i = 0; i < 20; i++) await within(20_000, sql`select 1`.execute())
    slow.resume()
    let rows = 0
    for (let i = 0; i < 3; i++) {
      rows += (await within(20_000, slow.until(BackendType.readyForQuery))).filter(reply => reply.type === 0x44).length
    }
    expect(rows).toBe(36)
    slow.destroy()
  })
})

describe('COPY FROM STDIN', () => {
  const copyData = (text: string) => frame(FrontendType.copyData, new TextEncoder().encode(text))
  const copyDone = frame(FrontendType.copyDone)

  test('with a bad row is one error, stores nothing and leaves the connection usable', async () => {
    const client = await RawClient.open(database.url)
    await query(client, 'create table copy_bad (a int)')
    client.send(queryFrame('copy copy_bad from stdin'), copyData('1\n'), copyData('bad\n'), copyDone)
    const replies = await client.until(BackendType.readyForQuery)
    expect(letters(replies)).toBe('GEZ')
    expect(errorCode(replies)).toBe('22P02')
    expect(firstRow(await query(client, 'select count(*) from copy_bad'))).toEqual(['0'])
    client.destroy()
  })

  test('given up by the client stores nothing', async () => {
    const client = await RawClient.open(database.url)
    await query(client, 'create table copy_given_up (a int)')
    client.send(
      queryFrame('copy copy_given_up from stdin'),
      copyData('1\n'),
      frame(FrontendType.copyFail, cString('no')),
    )
    expect(errorCode(await client.until(BackendType.readyForQuery))).toBe('57014')
    expect(firstRow(await query(client, 'select count(*) from copy_given_up'))).toEqual(['0'])
    client.destroy()
  })

  test('among other statements or in the extended protocol is an error and no crash', async () => {
    const client = await RawClient.open(database.url)
    await query(client, 'create table copy_odd (a int)')
    expect(errorCode(await query(client, 'select 1; copy copy_odd from stdin'))).toBe('57014')
    client.send(parse('', 'copy copy_odd from stdin'), run(''), syncFrame)
    expect(errorCode(await client.until(BackendType.readyForQuery))).toBe('57014')
    expect(firstRow(await query(client, 'select count(*) from copy_odd'))).toEqual(['0'])
    client.destroy()
  })
})

describe('a crash of the backend', () => {
  test('disconnects the clients, keeps what was committed and is over by itself', async () => {
    const sql = open.sql({ max: 2 })
    await sql`create table crash_kept (a int)`
    await sql`insert into crash_kept values (1)`
    const crashed = signal<Error>()
    database.onCrash(crashed.resolve)
    // The JSON parser of PGlite's build recurses without a limit.
    const deep = await codeOf(sql`select (repeat('[', 400000))::jsonb`)
    expect(deep).not.toBe('none')
    expect((await within(60_000, crashed.promise)).message).toContain('call stack')
    expect(await within(60_000, open.sql({ max: 1 })`select a from crash_kept`.execute())).toMatchObject([{ a: 1 }])
  })
})

describe('stop', () => {
  test('ends while a client is in a transaction, and the folder opens again without recovery', async () => {
    const sql = open.sql({ max: 1 })
    await sql`create table stop_kept (a int)`
    await sql`insert into stop_kept values (1)`
    const client = await RawClient.open(database.url)
    await query(client, 'begin')
    await query(client, 'insert into stop_kept values (2)')
    await within(30_000, database.stop())
    expect(errorCode(await client.until(BackendType.readyForQuery))).toBe('25P03')
    database = await startEmbedded({ folder, idleInTransactionMs, requestRole: APP_ROLE })
    expect(await open.sql({ max: 1 })`select a from stop_kept`).toMatchObject([{ a: 1 }])
  })

  test('sends idle clients away with 57P01', async () => {
    const client = await RawClient.open(database.url)
    await database.stop()
    expect(errorCode(await client.until(BackendType.readyForQuery))).toBe('57P01')
    database = await startEmbedded({ folder, idleInTransactionMs, requestRole: APP_ROLE })
  })
})
