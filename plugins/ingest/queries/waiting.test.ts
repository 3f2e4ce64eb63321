import { expect, test } from 'bun:test'
import { rowsRead } from '../../../test/support/rows-read.ts'
import { chunksOf, stepWorld } from '../steps/step-world.test-support.ts'
import { findWaiting, insertChunks } from './chunks.ts'
import { findJob } from './jobs.ts'
import { countDifference } from './versions.ts'

const STORED = 2000

/** A job with many chunks that are stored and a few that wait. */
async function mostlyStored() {
  const { submit, workspaceId, tenant } = await stepWorld({})
  const id = await submit()
  await tenant.transaction(async tx => {
    const words = Array.from({ length: STORED + 3 }, (_, n) => `w${n}`)
    await insertChunks(tx, workspaceId, id, 0, chunksOf(...words))
    await tx`
      update ingest.chunk
      set state = 'skipped', text = null
      where chunk.workspace_id = ${workspaceId} and chunk.place < ${STORED}`
  })
  return { id, workspaceId, tenant }
}

test('chunks that wait are found and counted without a look at those that are stored', async () => {
  const { id, workspaceId, tenant } = await mostlyStored()
  await tenant.transaction(async tx => {
    const job = await findJob(tx, workspaceId, id)
    if (!job) throw new Error('the job is gone')
    const before = await rowsRead(tx, 'ingest', 'chunk')
    expect((await findWaiting(tx, workspaceId, id, 32)).map(({ place }) => place)).toEqual([2000, 2001, 2002])
    expect(await countDifference(tx, workspaceId, job)).toEqual({ added: 3, gone: 0 })
    expect((await rowsRead(tx, 'ingest', 'chunk')) - before).toBeLessThan(STORED / 10)
  })
})
