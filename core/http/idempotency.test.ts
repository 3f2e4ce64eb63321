import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { controlPlane, failure } from '../../test/support/control-plane.ts'
import { gate } from '../../test/support/gate.ts'
import { handler, hash, request, rowOf } from '../../test/support/idempotent-requests.ts'
import { purge } from '../../test/support/retention.ts'
import { until } from '../../test/support/wait.ts'
import type { Database } from '../db/database.ts'
import { coreRetentions } from '../retention/housekeeping.ts'
import { createIdempotency, keptKey } from './idempotency.ts'

let database: Database

beforeAll(async () => {
  database = (await controlPlane()).storage.database
})

/** Counts the finished looks at a key. */
function countClaims(counted: Database) {
  let count = 0
  const workspace: Database['workspace'] = async (workspaceId, work) => {
    const result = await counted.workspace(workspaceId, work)
    count++
    return result
  }
  return { database: { ...counted, workspace }, count: () => count }
}

describe('idempotency', () => {
  test('a repetition gets the first response, status, body and headers, and nothing runs again', async () => {
    const { run } = createIdempotency({ database })
    const sent = request()
    const counted = handler()
    const first = await run(sent, counted.execute)
    expect(first).toEqual({ status: 201, body: '{"run":1}', headers: { location: '/x' }, replayed: false })
    expect(await run(sent, counted.execute)).toEqual({ ...first, replayed: true })
    expect(counted.runs).toBe(1)
  })

  test('the same key with another request is a conflict, during the first and after it', async () => {
    const { run } = createIdempotency({ database })
    const sent = request()
    const { open, opened } = gate()
    const { execute } = handler()
    const first = run(sent, async () => {
      await opened
      return execute()
    })
    await until('the first runs', () => rowOf(database, sent))
    const other = { ...sent, fingerprint: hash('b') }
    expect(await failure(run(other, execute))).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', status: 409 })
    open()
    await first
    expect(await failure(run(other, execute))).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
  })

  test('keys are apart for each caller', async () => {
    const { run } = createIdempotency({ database })
    const sent = request()
    const counted = handler()
    await run(sent, counted.execute)
    await run({ ...sent, callerId: randomUUID() }, counted.execute)
    expect(counted.runs).toBe(2)
  })

  test('of ten at once one runs, and all get its response', async () => {
    const sent = request()
    const counted = handler()
    const { open, opened } = gate()
    const asked = countClaims(database)
    const waiting = createIdempotency({ database: asked.database })
    const asking = Array.from({ length: 10 }, () =>
      waiting.run(sent, async () => {
        await opened
        return counted.execute()
      }),
    )
    // Each has looked at the key at least once, so nine of them have seen that it is taken.
    await until('all have asked', async () => asked.count() >= 10)
    open()
    const responses = await Promise.all(asking)
    expect(counted.runs).toBe(1)
    expect(new Set(responses.map(response => response.body))).toEqual(new Set(['{"run":1}']))
    expect(responses.filter(response => !response.replayed)).toHaveLength(1)
  })

  test('a workspace has a thousand under way at most, and a neighbour its own', async () => {
    const { open, opened } = gate()
    const stuck = async () => {
      await opened
      throw new Error('the database is away')
    }
    const { run } = createIdempotency({ database: { ...database, workspace: stuck } })
    const { execute } = handler()
    const workspaceId = randomUUID()
    const asking = Array.from({ length: 1000 }, () => failure(run(request({ workspaceId }), execute)))
    expect(await failure(run(request({ workspaceId }), execute))).toMatchObject({ code: 'RATE_LIMITED', status: 429 })
    const neighbour = failure(run(request(), execute))
    open()
    expect(await neighbour).toMatchObject({ message: 'the database is away' })
    await Promise.all(asking)
    expect(await failure(run(request({ workspaceId }), execute))).toMatchObject({ message: 'the database is away' })
  })

  test('of a hundred at once some wait, and the others are told to come back', async () => {
    const sent = request()
    const counted = handler()
    const { open, opened } = gate()
    const { run } = createIdempotency({ database })
    const execute = async () => {
      await opened
      return counted.execute()
    }
    const first = run(sent, execute)
    await until('the first runs', () => rowOf(database, sent))
    let refused = 0
    const others = Array.from({ length: 99 }, () =>
      run(sent, execute).catch(error => {
        expect(error).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', retryAfterSeconds: 1 })
        refused++
      }),
    )
    await until('the others are refused', async () => refused === 83)
    open()
    await Promise.all([first, ...others])
    expect([counted.runs, refused]).toEqual([1, 83])
  })

  test('who waited in vain is told to come back', async () => {
    const { run } = createIdempotency({ database, waitMs: 100 })
    const sent = request()
    const { open, opened } = gate()
    const { execute } = handler()
    const first = run(sent, async () => {
      await opened
      return execute()
    })
    await until('the first runs', () => rowOf(database, sent))
    const refused = await failure(run(sent, execute))
    expect(refused).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', retryAfterSeconds: 1 })
    open()
    expect((await first).replayed).toBe(false)
  })

  for (const status of [500, 503, 429, 401, 403]) {
    test(`a ${status} is not kept: the repetition runs`, async () => {
      const { run } = createIdempotency({ database })
      const sent = request()
      const counted = handler(status)
      expect((await run(sent, counted.execute)).status).toBe(status)
      expect(await run(sent, counted.execute)).toMatchObject({ replayed: false, body: '{"run":2}' })
      expect(await rowOf(database, sent)).toBeUndefined()
    })
  }

  test('a refusal such as 404 or 409 is kept like a success', async () => {
    const { run } = createIdempotency({ database })
    const sent = request()
    const counted = handler(409)
    await run(sent, counted.execute)
    expect(await run(sent, counted.execute)).toMatchObject({ status: 409, replayed: true })
  })

  test('a handler that throws leaves the key free', async () => {
    const { run } = createIdempotency({ database })
    const sent = request()
    expect((await failure(run(sent, () => Promise.reject(new Error('no')))))?.message).toBe('no')
    expect((await run(sent, handler().execute)).replayed).toBe(false)
  })

  test('what a process that died while the clock was two days ahead had claimed is taken over at once', async () => {
    const { run } = createIdempotency({ database, waitMs: 0 })
    const sent = request()
    await database.system(
      tx => tx`
        insert into core.idempotent_response (workspace_id, caller_id, key, fingerprint, owner, leased_until)
        values (${sent.workspaceId}, ${sent.callerId}, ${sent.key}, ${sent.fingerprint}, ${randomUUID()}, now() + interval '2 days')`,
    )
    expect(await run(sent, handler().execute)).toMatchObject({ replayed: false, body: '{"run":1}' })
  })

  test('when a process dies in the middle, the next request takes over; a live one keeps its claim', async () => {
    // This is long enough for a busy machine to renew it in time.
    const leaseMs = 3000
    const quick = createIdempotency({ database, leaseMs })
    const sent = request()
    const counted = handler()
    // A dead process leaves such a row behind.
    await database.system(
      tx => tx`
        insert into core.idempotent_response (workspace_id, caller_id, key, fingerprint, owner, leased_until)
        values (${sent.workspaceId}, ${sent.callerId}, ${sent.key}, ${sent.fingerprint}, ${randomUUID()},
          now() + interval '200 milliseconds')`,
    )
    expect(await quick.run(sent, counted.execute)).toMatchObject({ replayed: false, body: '{"run":1}' })

    const long = request()
    const { open, opened } = gate()
    const first = quick.run(long, async () => {
      await opened
      return counted.execute()
    })
    const leased = await until('the first runs', () => rowOf(database, long))
    // Its claim is renewed past the time at which it would have lapsed.
    await until('it was renewed', async () => {
      const row = await rowOf(database, long)
      return row?.leased_until && leased.leased_until && +row.leased_until - +leased.leased_until > leaseMs
    })
    const second = quick.run(long, counted.execute)
    open()
    expect((await second).replayed).toBe(true)
    await first
    expect(counted.runs).toBe(2)
  })

  test('after 24 hours a key is new again, and the purge removes what is older', async () => {
    const { run } = createIdempotency({ database })
    const [sent, forgotten] = [request(), request()]
    const counted = handler()
    for (const each of [sent, forgotten]) {
      await run(each, counted.execute)
      await database.system(
        tx => tx`
          update core.idempotent_response set created_at = now() - interval '25 hours'
          where workspace_id = ${each.workspaceId}`,
      )
    }
    expect(await run({ ...sent, fingerprint: hash('b') }, counted.execute)).toMatchObject({ replayed: false })
    for (const { workspaceId } of [forgotten, sent]) await purge(database, coreRetentions, workspaceId)
    expect(await rowOf(database, forgotten)).toBeUndefined()
    expect(await rowOf(database, sent)).toBeDefined()
  })

  test('a key must be 1 to 255 printable characters', async () => {
    for (const key of ['', 'x'.repeat(256), 'tab\there', 'é']) {
      expect(await failure((async () => keptKey(key))())).toMatchObject({ code: 'VALIDATION_ERROR' })
    }
    expect(keptKey('x'.repeat(255))).toMatch(/^[0-9a-f]{64}$/)
  })

  test("a workspace's kept responses are out of reach of every other workspace", async () => {
    const { run } = createIdempotency({ database })
    const sent = request()
    await run(sent, handler().execute)
    const seen = await database.workspace(randomUUID(), tx => tx`select 1 from core.idempotent_response`)
    expect(seen).toHaveLength(0)
  })
})
