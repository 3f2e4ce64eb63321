import { expect, test } from 'bun:test'
import { rowsRead } from '../../../test/support/rows-read.ts'
import { chunksOf, stepWorld } from '../steps/step-world.test-support.ts'
import { documentsAfter } from './archive.ts'
import { insertChunks } from './chunks.ts'

const JOBS = 400

test('a late page of an archive is read without a look at the chunks of the documents before it', async () => {
  const { submit, workspaceId, tenant } = await stepWorld({})
  const id = await submit()
  await tenant.transaction(async tx => {
    await insertChunks(tx, workspaceId, id, 0, chunksOf('tea'))
    await tx`update ingest.job set stage = 'over', status = 'COMPLETED' where job.workspace_id = ${workspaceId}`
    await tx`
      insert into ingest.job
      select (jsonb_populate_record(job, jsonb_build_object('id', gen_random_uuid()))).*
      from ingest.job
      cross join generate_series(2, ${JOBS}::integer)
      where job.workspace_id = ${workspaceId}`
    await tx`
      insert into ingest.chunk (workspace_id, job_id, place, text_hash, place_in_document, state, memory_id)
      select job.workspace_id, job.id, 1, ''::bytea, '{}', 'created', gen_random_uuid()
      from ingest.job
      where job.workspace_id = ${workspaceId}`
  })
  await tenant.transaction(async tx => {
    const page = (after: string, limit: number) =>
      documentsAfter(tx, workspaceId, {}, { jobId: after, chunk: -1 }, limit)
    const ids = (await page('00000000-0000-0000-0000-000000000000', JOBS)).map(({ job }) => job.id)
    expect(ids).toHaveLength(JOBS)
    const before = await rowsRead(tx, 'ingest', 'chunk')
    const last = await page(ids.at(-3) ?? '', 10)
    expect(last.map(({ job }) => job.id)).toEqual(ids.slice(-3))
    expect((await rowsRead(tx, 'ingest', 'chunk')) - before).toBeLessThan(JOBS / 10)
  })
})
