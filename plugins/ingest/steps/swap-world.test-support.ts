import { expect } from 'bun:test'
import { memoryWriter } from '../../memories/contract.ts'
import type { NewJobRow } from '../job.ts'
import { forgetMemories, insertChunks } from '../queries/chunks.ts'
import { advanceJob, endJob, requestCancel } from '../queries/jobs.ts'
import { finish } from './step.ts'
import { chunksOf, stepWorld } from './step-world.test-support.ts'

/** A workspace whose jobs the test takes from step to step; a page exchanges four chunks unless it says otherwise. */
export async function world({ memoryQuota = null, page = 4 }: { memoryQuota?: number | null; page?: number } = {}) {
  const made = await stepWorld({ exchangedTogetherMax: page }, { memories: memoryQuota })
  const { client, workspaceId, tenant, scope, submit } = made
  const { transaction } = tenant
  return {
    /** A version that is read to its end: a chunk for each word. */
    async version(
      words: readonly string[],
      given: Partial<Pick<NewJobRow, 'id' | 'categories'>> = {},
    ): Promise<string> {
      const id = await submit({ isReplacement: true, ...given })
      await transaction(async tx => {
        await insertChunks(tx, workspaceId, id, 0, chunksOf(...words))
        await advanceJob(tx, workspaceId, id, { stage: 'swap', chunksTotal: words.length })
      })
      return id
    },
    client,
    /** Routes and steps write memories by this. */
    writer: scope.wiring.use(memoryWriter),
    step: async (...given: Parameters<typeof made.step>) => (await made.step(...given)).job,
    fail: (id: string) => finish(scope, tenant, id, { code: 'INTERNAL_ERROR', message: 'A fault.' }),
    /** Its memories are processed. */
    end: (id: string) => transaction(tx => endJob(tx, workspaceId, id, null)),
    /** The first memories of a job are processed. */
    process: (id: string, count: number, status: 'COMPLETED' | 'FAILED' = 'COMPLETED') =>
      transaction(
        tx => tx`
          update memories.memory
          set status = ${status}
          where memory.id in (
            select chunk.memory_id
            from ingest.chunk
            where chunk.job_id = ${id}
            order by chunk.place
            limit ${count}
          )`,
      ),
    /** The memories of the workspace that wait for their processing. */
    async pending(): Promise<number> {
      const rows = await transaction(
        tx => tx<{ count: number }[]>`select count(*)::int from memories.memory where memory.status = 'PENDING'`,
      )
      return rows[0]?.count ?? 0
    },
    /** A deletion of its memories holds newer versions back for so long. */
    hold: (id: string, forMs: number) =>
      transaction(
        tx => tx`update ingest.job set held_until = now() + ${forMs} * interval '1 millisecond' where job.id = ${id}`,
      ),
    forget: (memoryId: string) => transaction(tx => forgetMemories(tx, workspaceId, [memoryId])),
    cancel: (id: string) => transaction(tx => requestCancel(tx, workspaceId, id)),
    /** The words that can be found, in the order of their texts. */
    async shown(): Promise<string> {
      const { body } = await client.get('/v1/memories', { query: { page_size: 100 } })
      const words = body.data.map(({ memory }: { memory: string }) => memory.slice(12, -1))
      return words.toSorted().join(' ')
    },
    async idsByWord(): Promise<Map<string, string>> {
      const { body } = await client.get('/v1/memories', { query: { page_size: 100 } })
      return new Map(
        body.data.map((memory: { id: string; memory: string }) => [memory.memory.slice(12, -1), memory.id]),
      )
    },
    async deleteMemory(id: string) {
      expect((await client.delete(`/v1/memories/${id}`)).status).toBe(204)
    },
  }
}

/** A workspace with a version that is complete. */
export async function worldWithOlder(options?: Parameters<typeof world>[0]) {
  const made = await world(options)
  const first = await made.version(OLD)
  for (let pages = 0; pages < 3; pages++) await made.step(first)
  await made.end(first)
  return made
}

export const OLD = ['a1', 'b1', 'c1', 'd1', 'e1', 'f1', 'g1', 'h1', 'kept']
export const NEW = ['a2', 'b2', 'kept', 'c2', 'd2', 'e2', 'f2', 'g2', 'h2']
