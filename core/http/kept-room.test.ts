import { beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { controlPlane, failure } from '../../test/support/control-plane.ts'
import { handler, request, rowOf } from '../../test/support/idempotent-requests.ts'
import type { Database } from '../db/database.ts'
import { createIdempotency } from './idempotency.ts'

let database: Database

beforeAll(async () => {
  database = (await controlPlane()).storage.database
})

const MB = 1024 * 1024
/** More bytes than may go uncounted, so that each response triggers a look. */
const body = () => ({ text: 'x'.repeat(1.2 * MB) })

test('the oldest bodies of a workspace go when newer ones need the room, and their requests are not carried out again', async () => {
  const { run } = createIdempotency({ database, room: { bytesMax: 3 * MB, rowsMax: 100 } })
  const [workspaceId, other] = [randomUUID(), request()]
  await run(other, handler(201, body).execute)
  const sent = [1, 2, 3, 4].map(() => request({ workspaceId }))
  for (const each of sent) await run(each, handler(201, body).execute)
  const rows = await Promise.all(sent.map(each => rowOf(database, each)))
  expect(rows.map(row => row?.omitted)).toEqual(['EVICTED', 'EVICTED', null, null])
  expect(rows.map(row => (row?.body?.length ?? 0) > MB)).toEqual([false, false, true, true])
  const [first, , , last] = sent
  if (!first || !last) throw new Error('no request')
  const again = handler(201, body)
  expect(await failure(run(first, again.execute))).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
  expect((await run(last, again.execute)).replayed).toBe(true)
  expect(again.runs).toBe(0)
  expect((await run(other, again.execute)).replayed).toBe(true)
})

test('of keys the newest stay', async () => {
  const { run } = createIdempotency({ database, room: { bytesMax: 100 * MB, rowsMax: 2 } })
  const workspaceId = randomUUID()
  const sent = [1, 2, 3].map(() => request({ workspaceId }))
  for (const each of sent) await run(each, handler(201, body).execute)
  const rows = await Promise.all(sent.map(each => rowOf(database, each)))
  expect(rows.map(row => row !== undefined)).toEqual([false, true, true])
})

test('of keys that were used for other workspaces the newest stay as well', async () => {
  const room = { bytesMax: 100 * MB, rowsMax: 2 }
  const homeWorkspaceId = randomUUID()
  const sent = [1, 2, 3].map(() => request({ workspaceId: randomUUID(), homeWorkspaceId }))
  // Each server looks at its first response.
  for (const each of sent) await createIdempotency({ database, room }).run(each, handler(201).execute)
  const kept = await database.workspace(
    homeWorkspaceId,
    tx => tx<{ key: string }[]>`
      select key
      from core.idempotent_response
      where workspace_id = ${homeWorkspaceId}
      order by created_at`,
  )
  expect(kept.map(row => row.key)).toEqual(sent.slice(1).map(({ key }) => key))
})

test('a body over 20 MB is not kept', async () => {
  const { run } = createIdempotency({ database })
  const sent = request()
  const large = handler(201, () => 'x'.repeat(21 * MB))
  expect((await run(sent, large.execute)).replayed).toBe(false)
  expect(await rowOf(database, sent)).toMatchObject({ body: null, omitted: 'TOO_LARGE' })
})
