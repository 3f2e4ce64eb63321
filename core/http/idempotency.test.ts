import { beforeAll, describe, expect, test } from 'bun:test'
import { createHash, randomUUID } from 'node:crypto'
import { controlPlane, failure } from '../../test/support/control-plane.ts'
import { until } from '../../test/support/wait.ts'
import type { Database } from '../db/database.ts'
import { createIdempotency, forgetAnswers, type IdempotentRequest } from './idempotency.ts'
import { purgeAnswers } from './kept-answers.ts'

let database: Database

beforeAll(async () => {
  database = (await controlPlane()).storage.database
})

function request(parts: Partial<IdempotentRequest> = {}): IdempotentRequest {
  return { workspaceId: randomUUID(), callerId: randomUUID(), key: randomUUID(), fingerprint: hash('a'), ...parts }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A handler that counts its runs and answers with their number. */
function handler(status = 201, body: (run: number) => unknown = run => ({ run })) {
  const counted = {
    runs: 0,
    execute: async () => ({ status, body: JSON.stringify(body(++counted.runs)), headers: { location: '/x' } }),
  }
  return counted
}

function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { open, opened }
}

const rowOf = async ({ workspaceId, key }: IdempotentRequest) => {
  const rows = await database.system(
    tx => tx<{ body: string | null; omitted: string | null; status: number | null }[]>`
      select body, omitted, status from core.idempotent_answer where workspace_id = ${workspaceId} and key = ${key}`,
  )
  return rows[0]
}

describe('idempotency', () => {
  test('a repetition gets the first answer, status, body and headers, and nothing runs again', async () => {
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
    await until('the first runs', () => rowOf(sent))
    const other = { ...sent, fingerprint: hash('b') }
    expect(await failure(run(other, execute))).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', status: 409 })
    open()
    await first
    expect(await failure(run(other, execute))).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
  })

  test('keys are apart for each caller and each workspace', async () => {
    const { run } = createIdempotency({ database })
    const sent = request()
    const counted = handler()
    await run(sent, counted.execute)
    await run({ ...sent, callerId: randomUUID() }, counted.execute)
    await run({ ...sent, workspaceId: randomUUID() }, counted.execute)
    expect(counted.runs).toBe(3)
  })

  test('of ten at once one runs, and all get its answer', async () => {
    const { run } = createIdempotency({ database })
    const sent = request()
    const counted = handler()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        run(sent, async () => {
          await new Promise(resolve => setTimeout(resolve, 60))
          return counted.execute()
        }),
      ),
    )
    expect(counted.runs).toBe(1)
    expect(new Set(answers.map(answer => answer.body))).toEqual(new Set(['{"run":1}']))
    expect(answers.filter(answer => !answer.replayed)).toHaveLength(1)
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
    await until('the first runs', () => rowOf(sent))
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
      expect(await rowOf(sent)).toBeUndefined()
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

  test('when a process dies in the middle, the next request takes over; a live one keeps its claim', async () => {
    const quick = createIdempotency({ database, leaseMs: 300 })
    const sent = request()
    const counted = handler()
    // What a dead process leaves behind.
    await database.system(
      tx => tx`
        insert into core.idempotent_answer (workspace_id, caller_id, key, fingerprint, owner, leased_until)
        values (${sent.workspaceId}, ${sent.callerId}, ${sent.key}, ${sent.fingerprint}, ${randomUUID()},
          now() + interval '200 milliseconds')`,
    )
    expect(await quick.run(sent, counted.execute)).toMatchObject({ replayed: false, body: '{"run":1}' })

    const long = request()
    const first = quick.run(long, async () => {
      await new Promise(resolve => setTimeout(resolve, 900))
      return counted.execute()
    })
    await until('the first runs', () => rowOf(long))
    expect((await quick.run(long, counted.execute)).replayed).toBe(true)
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
          update core.idempotent_answer set created_at = now() - interval '25 hours'
          where workspace_id = ${each.workspaceId}`,
      )
    }
    expect(await run({ ...sent, fingerprint: hash('b') }, counted.execute)).toMatchObject({ replayed: false })
    expect(await database.system(purgeAnswers)).toBeGreaterThanOrEqual(1)
    expect(await rowOf(forgotten)).toBeUndefined()
    expect(await rowOf(sent)).toBeDefined()
  })

  test('a key must be 1 to 255 printable characters', async () => {
    const { run } = createIdempotency({ database })
    for (const key of ['', 'x'.repeat(256), 'tab\there', 'é']) {
      expect(await failure(run(request({ key }), handler().execute))).toMatchObject({ code: 'VALIDATION_ERROR' })
    }
    expect((await run(request({ key: 'x'.repeat(255) }), handler().execute)).status).toBe(201)
  })

  test("a workspace's kept answers are out of reach of every other workspace", async () => {
    const { run } = createIdempotency({ database })
    const sent = request()
    await run(sent, handler().execute)
    const seen = await database.workspace(randomUUID(), tx => tx`select 1 from core.idempotent_answer`)
    expect(seen).toHaveLength(0)
  })
})

describe('answers that cannot be sent again', () => {
  test('a very large answer and one that holds a secret are not stored, and the request is not run again', async () => {
    const { run } = createIdempotency({ database })
    for (const [parts, body] of [
      [{}, { text: 'x'.repeat(1024 * 1024) }],
      [{ secret: true }, { key: 'mn_live_x' }],
    ] as const) {
      const sent = request(parts)
      const counted = handler(201, () => body)
      expect((await run(sent, counted.execute)).body).toBe(JSON.stringify(body))
      expect(await failure(run(sent, counted.execute))).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
      expect(counted.runs).toBe(1)
      expect((await rowOf(sent))?.body).toBeNull()
    }
  })

  test('a failed request for a secret holds none, and is kept', async () => {
    const { run } = createIdempotency({ database })
    const sent = request({ secret: true })
    const { execute } = handler(404)
    await run(sent, execute)
    expect(await run(sent, execute)).toMatchObject({ status: 404, replayed: true })
  })

  test('deleting what an answer mentions erases the answer and keeps the key used', async () => {
    const { run } = createIdempotency({ database })
    const id = randomUUID()
    const [mentions, unrelated] = [request(), request()]
    const counted = handler(201, () => ({ id: id.toUpperCase(), memory: 'a private matter' }))
    const other = { ...unrelated, workspaceId: mentions.workspaceId }
    await run(mentions, counted.execute)
    await run(other, handler(201, () => ({ id: randomUUID() })).execute)
    await database.workspace(mentions.workspaceId, tx => forgetAnswers(tx, mentions.workspaceId, [id, randomUUID()]))
    expect(await rowOf(mentions)).toMatchObject({ body: null, omitted: 'ERASED' })
    expect(await failure(run(mentions, counted.execute))).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
    expect(counted.runs).toBe(1)
    expect((await run(other, counted.execute)).replayed).toBe(true)
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
    await until('the first runs', () => rowOf(sent))
    await database.workspace(sent.workspaceId, tx => forgetAnswers(tx, sent.workspaceId, [id]))
    open()
    expect((await first).body).toContain('a private matter')
    expect(await rowOf(sent)).toMatchObject({ body: null, omitted: 'ERASED', status: 201 })
  })
})
