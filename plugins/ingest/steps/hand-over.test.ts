import { expect, spyOn, test } from 'bun:test'
import type { ClientResponse } from '../../../test/kit/client.ts'
import { NATIVE_URL } from '../../../test/support/database.ts'
import { until } from '../../../test/support/wait.ts'
import { memoryWriter } from '../../memories/contract.ts'
import { insertChunks } from '../queries/chunks.ts'
import { advanceJob, endJob } from '../queries/jobs.ts'
import { chunksOf, stepWorld } from './step-world.test-support.ts'

// The embedded database runs one transaction at a time.
if (NATIVE_URL !== undefined)
  test('a text that is being skipped is not lost with the memory that has it: the deletion waits', async () => {
    const { client, workspaceId, tenant, scope, submit, step } = await stepWorld({})
    const { transaction } = tenant
    const writer = scope.wiring.use(memoryWriter)
    const document = async (documentName: string) => {
      const id = await submit({ documentName })
      await transaction(async tx => {
        await insertChunks(tx, workspaceId, id, 0, chunksOf('shared'))
        await advanceJob(tx, workspaceId, id, { stage: 'store', chunksTotal: 1 })
      })
      return id
    }
    const first = await document('a.md')
    await step(first)
    await transaction(tx => endJob(tx, workspaceId, first, null))
    const second = await document('b.md')
    const isKnown = async () => (await client.get(`/v1/ingest-jobs/${first}`)).status === 200
    let deletion: Promise<ClientResponse> | undefined
    const stored = writer.create
    const create = spyOn(writer, 'create').mockImplementationOnce(async (tx, ...rest) => {
      const results = await stored(tx, ...rest)
      deletion = client.delete(`/v1/ingest-jobs/${first}`, { query: { memories: 'true' } })
      await until('the deletion waits for it, or is through', async () => {
        const waiting = await tx`
          select from pg_locks as lock
          where not lock.granted and pg_backend_pid() = any(pg_blocking_pids(lock.pid))`
        return waiting.length > 0 || !(await isKnown())
      })
      return results
    })
    try {
      await step(second)
    } finally {
      create.mockRestore()
    }
    expect((await deletion)?.status).toBe(204)
    const { data } = (await client.get(`/v1/ingest-jobs/${second}/memories`)).body
    expect(data).toMatchObject([{ memory: 'The word is shared.', metadata: { ingest_job_id: second } }])
  })
