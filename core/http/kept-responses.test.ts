import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { controlPlane, failure } from '../../test/support/control-plane.ts'
import { gate } from '../../test/support/gate.ts'
import { handler, hash, request, rowOf } from '../../test/support/idempotent-requests.ts'
import { rowsRead } from '../../test/support/rows-read.ts'
import { until } from '../../test/support/wait.ts'
import type { Database } from '../db/database.ts'
import { createIdempotency, forgetResponses, type IdempotentRequest } from './idempotency.ts'

let database: Database

beforeAll(async () => {
  database = (await controlPlane()).storage.database
})

describe('over several workspaces of one caller', () => {
  const home = randomUUID()
  const to = (parts: Partial<IdempotentRequest>) => request({ homeWorkspaceId: home, callerId: 'c', ...parts })

  test('a key is one thing: a request to another workspace is another request', async () => {
    const { run } = createIdempotency({ database })
    const key = randomUUID()
    const counted = handler()
    const requests = [home, randomUUID(), randomUUID()].map(workspaceId =>
      to({ key, workspaceId, fingerprint: hash(workspaceId) }),
    )
    for (const [first, ...others] of [requests, requests.toReversed().map(each => ({ ...each, key: randomUUID() }))]) {
      if (!first) throw new Error('no request')
      expect((await run(first, counted.execute)).replayed).toBe(false)
      for (const other of others) {
        const same = { ...other, key: first.key }
        expect(await failure(run(same, counted.execute))).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
      }
      expect((await run(first, counted.execute)).replayed).toBe(true)
    }
    expect(counted.runs).toBe(2)
  })

  test('so is one whose body, read while it runs, names the workspace', async () => {
    const { run } = createIdempotency({ database, waitMs: 0 })
    const key = randomUUID()
    const counted = handler()
    const digest = (content: string) => ({ known: () => content, compute: async () => content })
    const requests = [home, randomUUID(), randomUUID()].map(workspaceId =>
      to({ key, workspaceId, digest: digest(workspaceId) }),
    )
    for (const [first, ...others] of [requests, requests.toReversed().map(each => ({ ...each, key: randomUUID() }))]) {
      if (!first) throw new Error('no request')
      expect((await run(first, counted.execute)).replayed).toBe(false)
      for (const other of others) {
        const refused = await failure(run({ ...other, key: first.key }, counted.execute))
        expect(refused).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
        expect(Reflect.get(refused ?? {}, 'retryAfterSeconds')).toBeUndefined()
      }
      expect((await run(first, counted.execute)).replayed).toBe(true)
    }
    expect(counted.runs).toBe(2)
  })

  test('of requests at once to several workspaces one runs', async () => {
    const { run } = createIdempotency({ database })
    const key = randomUUID()
    const counted = handler()
    const responses = await Promise.all(
      [home, randomUUID(), randomUUID(), randomUUID()].map(workspaceId =>
        run(to({ key, workspaceId, fingerprint: hash(workspaceId) }), counted.execute).catch(() => undefined),
      ),
    )
    expect(counted.runs).toBe(1)
    expect(responses.filter(response => response !== undefined)).toHaveLength(1)
  })

  test('a response lies with the workspace whose data it shows, and is erased there', async () => {
    const { run } = createIdempotency({ database })
    const sent = to({ workspaceId: randomUUID() })
    const id = randomUUID()
    await run(sent, handler(201, () => ({ id, memory: 'a private matter' })).execute)
    const shown = await database.workspace(home, tx => tx`select * from core.idempotent_response`)
    expect(JSON.stringify(shown)).not.toContain('a private matter')
    await database.workspace(sent.workspaceId, tx => forgetResponses(tx, sent.workspaceId, [id]))
    expect(await rowOf(database, sent)).toMatchObject({ body: null, omitted: 'ERASED' })
    expect(await failure(run(sent, handler().execute))).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
  })

  test('a request that failed leaves the key free for another workspace', async () => {
    const { run } = createIdempotency({ database })
    const [failed, next] = [
      to({ workspaceId: randomUUID() }),
      to({ workspaceId: randomUUID(), fingerprint: hash('b') }),
    ]
    expect((await run(failed, handler(503).execute)).status).toBe(503)
    expect((await run({ ...next, key: failed.key }, handler().execute)).replayed).toBe(false)
  })

  test('after 24 hours a key is new again', async () => {
    const { run } = createIdempotency({ database })
    const sent = to({ workspaceId: randomUUID() })
    await run(sent, handler().execute)
    await database.system(
      tx => tx`
        update core.idempotent_response set created_at = now() - interval '25 hours' where key = ${sent.key}`,
    )
    const next = { ...sent, workspaceId: home, fingerprint: hash('b') }
    expect((await run(next, handler().execute)).replayed).toBe(false)
  })
})

describe('responses that cannot be sent again', () => {
  test('a very large response and one that holds a secret are not stored, and the request is not run again', async () => {
    const { run } = createIdempotency({ database })
    for (const [parts, body] of [
      [{}, { text: 'x'.repeat(40 * 1024 * 1024) }],
      [{ secret: true }, { key: 'mn_live_x' }],
    ] as const) {
      const sent = request(parts)
      const counted = handler(201, () => body)
      expect((await run(sent, counted.execute)).body).toBe(JSON.stringify(body))
      expect(await failure(run(sent, counted.execute))).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
      expect(counted.runs).toBe(1)
      expect((await rowOf(database, sent))?.body).toBeNull()
    }
  })

  test('a response as large as those to the largest batches is sent again', async () => {
    const { run } = createIdempotency({ database })
    const sent = request()
    const large = handler(207, () => ({ text: 'x'.repeat(18 * 1024 * 1024) }))
    const first = await run(sent, large.execute)
    expect(await run(sent, large.execute)).toEqual({ ...first, replayed: true })
  })

  test('a long response is erased with each id that it mentions, wherever the id stands', async () => {
    const { run } = createIdempotency({ database })
    for (const before of [65_500, 65_501, 65_510, 65_534, 65_535, 131_060]) {
      const [sent, id] = [request(), randomUUID().toUpperCase()]
      // Two characters of JSON stand before the text.
      await run(sent, handler(200, () => [`${'x'.repeat(before - 2)}${id} and no more`]).execute)
      await database.workspace(sent.workspaceId, tx => forgetResponses(tx, sent.workspaceId, [id.toLowerCase()]))
      expect(await rowOf(database, sent)).toMatchObject({ body: null, omitted: 'ERASED' })
    }
  })

  test('a response that mentions more ids than are listed is erased with the first that is deleted', async () => {
    const { run } = createIdempotency({ database })
    const ids = Array.from({ length: 10_001 }, () => randomUUID())
    const [sent, during] = [request(), request()]
    const execute = handler(200, () => ({ ids })).execute
    await run(sent, execute)
    expect((await run(sent, execute)).replayed).toBe(true)
    const forget = ({ workspaceId }: IdempotentRequest) =>
      database.workspace(workspaceId, tx => forgetResponses(tx, workspaceId, [randomUUID()]))
    await forget(sent)
    expect(await rowOf(database, sent)).toMatchObject({ body: null, omitted: 'ERASED' })
    await run(during, async () => {
      await forget(during)
      return execute()
    })
    expect(await rowOf(database, during)).toMatchObject({ body: null, omitted: 'ERASED' })
  })

  test('a failed request for a secret holds none, and is kept', async () => {
    const { run } = createIdempotency({ database })
    const sent = request({ secret: true })
    const { execute } = handler(404)
    await run(sent, execute)
    expect(await run(sent, execute)).toMatchObject({ status: 404, replayed: true })
  })

  test('deleting what a response mentions erases the response and keeps the key used', async () => {
    const { run } = createIdempotency({ database })
    const id = randomUUID()
    const [mentions, unrelated] = [request(), request()]
    const counted = handler(201, () => ({ id: id.toUpperCase(), memory: 'a private matter' }))
    const other = { ...unrelated, workspaceId: mentions.workspaceId }
    await run(mentions, counted.execute)
    await run(other, handler(201, () => ({ id: randomUUID() })).execute)
    await database.workspace(mentions.workspaceId, tx => forgetResponses(tx, mentions.workspaceId, [id, randomUUID()]))
    expect(await rowOf(database, mentions)).toMatchObject({ body: null, omitted: 'ERASED' })
    expect(await failure(run(mentions, counted.execute))).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
    expect(counted.runs).toBe(1)
    expect((await run(other, counted.execute)).replayed).toBe(true)
  })

  test('a refusal that mentions what was deleted since, or lost its room, runs again', async () => {
    const { run } = createIdempotency({ database })
    const forget =
      (id: string) =>
      ({ workspaceId }: IdempotentRequest) =>
        database.workspace(workspaceId, tx => forgetResponses(tx, workspaceId, [id]))
    const evict = ({ key }: IdempotentRequest) =>
      database.system(tx => tx`update core.idempotent_response set body = null, omitted = 'EVICTED' where key = ${key}`)
    const id = randomUUID()
    for (const lose of [forget(id), evict])
      for (const body of [undefined, { known: () => 'a', compute: async () => 'a' }]) {
        const sent = request(body ? { digest: body } : {})
        expect((await run(sent, handler(409, () => ({ message: `It duplicates ${id}.` })).execute)).status).toBe(409)
        await lose(sent)
        const other = { ...sent, fingerprint: hash('b') }
        expect(await failure(run(other, handler().execute))).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
        const stored = handler()
        expect(await run(sent, stored.execute)).toMatchObject({ status: 201, replayed: false })
        expect(await run(sent, stored.execute)).toMatchObject({ status: 201, replayed: true })
      }
  })

  test('what is deleted while the request that made it still runs is not kept either', async () => {
    const { run } = createIdempotency({ database })
    const sent = request()
    const { open, opened } = gate()
    const id = randomUUID()
    const first = run(sent, async () => {
      await opened
      return { status: 201, body: JSON.stringify({ id, memory: 'a private matter' }), headers: {} }
    })
    await until('the first runs', () => rowOf(database, sent))
    await database.workspace(sent.workspaceId, tx => forgetResponses(tx, sent.workspaceId, [id]))
    open()
    expect((await first).body).toContain('a private matter')
    expect(await rowOf(database, sent)).toMatchObject({ body: null, omitted: 'ERASED', status: 201 })
  })

  test('a request that outlives thousands of deletions keeps a bounded list of them, and in the end no response', async () => {
    const { run } = createIdempotency({ database })
    const sent = request()
    const { open, opened } = gate()
    const first = run(sent, async () => {
      await opened
      return { status: 201, body: JSON.stringify({ id: randomUUID() }), headers: {} }
    })
    await until('the first runs', () => rowOf(database, sent))
    const lengths: number[] = []
    for (let n = 0; n < 6; n++) {
      const ids = Array.from({ length: 500 }, () => randomUUID())
      await database.workspace(sent.workspaceId, tx => forgetResponses(tx, sent.workspaceId, ids))
      const [row] = await database.workspace(
        sent.workspaceId,
        tx => tx<{ noted: number }[]>`
          select cardinality(resource_ids) as noted from core.idempotent_response where key = ${sent.key}`,
      )
      lengths.push(row?.noted ?? -1)
    }
    expect(lengths).toEqual([501, 1002, 1503, 0, 0, 0])
    open()
    await first
    expect(await rowOf(database, sent)).toMatchObject({ body: null, omitted: 'ERASED', status: 201 })
  })

  test('are found by what they mention, however many others are kept', async () => {
    const [sent, id] = [request(), randomUUID()]
    const { workspaceId } = sent
    await database.workspace(
      workspaceId,
      tx => tx`
        insert into core.idempotent_response (workspace_id, caller_id, key, fingerprint, status, body, resource_ids)
        select ${workspaceId}::uuid, 'c', key::text, 'f', 201, repeat('x', 1900), array[gen_random_uuid()]
        from generate_series(1, 800) as key`,
    )
    const { run } = createIdempotency({ database })
    await run(sent, handler(201, () => ({ id })).execute)
    // Without statistics, which autovacuum brings within a minute, an index is chosen by chance.
    await database.system(tx => tx`analyze core.idempotent_response`)
    const running = request({ workspaceId })
    const { body } = await run(running, async () => {
      const rows = await database.workspace(workspaceId, async tx => {
        const before = await rowsRead(tx, 'core', 'idempotent_response')
        await forgetResponses(tx, workspaceId, [id])
        return (await rowsRead(tx, 'core', 'idempotent_response')) - before
      })
      return { status: 200, body: JSON.stringify({ rows }), headers: {} }
    })
    expect(await rowOf(database, sent)).toMatchObject({ body: null, omitted: 'ERASED' })
    expect(JSON.parse(body).rows).toBeWithin(1, 100)
  })
})
