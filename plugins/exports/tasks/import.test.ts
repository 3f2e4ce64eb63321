import { expect, test } from 'bun:test'
import { handWorld, upload } from '../world.test-support.ts'
import { importTask } from './import.ts'

const line = (_: unknown, n: number) => JSON.stringify({ text: `Locker ${n} is in hall ${n % 7}.` })

test('an import pauses while 1,000 of its memories wait for their processing, and goes on as they are processed', async () => {
  const { client, database, workspaceId, scope } = await handWorld()
  const { id } = (await upload(client, Array.from({ length: 1900 }, line).join('\n'))).body
  const run = async () => {
    const payload = { workspace_id: workspaceId, import_id: id }
    const { signal } = new AbortController()
    await importTask.run({ payload: payload as never, scope, signal, attempt: 1, maxAttempts: 5 })
    const { body } = await client.get(`/v1/imports/${id}`)
    return [body.status, body.memories_created]
  }
  const process = (count: number) =>
    database.workspace(
      workspaceId,
      tx => tx`
        update memories.memory
        set status = 'COMPLETED'
        where memory.workspace_id = ${workspaceId}
          and memory.id in (
            select waiting.id
            from memories.memory as waiting
            where waiting.workspace_id = ${workspaceId} and waiting.status = 'PENDING'
            limit ${count}
          )`,
    )
  expect(await run()).toEqual(['PROCESSING', 1000])
  expect(await run()).toEqual(['PROCESSING', 1000])
  await process(400)
  expect(await run()).toEqual(['PROCESSING', 1400])
  await process(1000)
  expect(await run()).toEqual(['PROCESSING', 1900])
  await process(1000)
  expect(await run()).toEqual(['COMPLETED', 1900])
})
