import { expect } from 'bun:test'
import type { Tenant } from 'mneme/plugin'
import { v7 } from 'uuid'
import { createLog } from '../../../core/log.ts'
import { idleService } from '../../../test/support/service.ts'
import { tenantByHand } from '../../../test/support/tenant.ts'
import { memoryWriter } from '../../memories/contract.ts'
import { forgetMemories, insertChunks } from '../queries/chunks.ts'
import { joinDocuments } from '../queries/documents.ts'
import { advanceJob, endJob, findJob, insertJob, requestCancel } from '../queries/jobs.ts'
import type { IngestScope } from '../scope.ts'
import { finish, step } from './step.ts'

/** A workspace whose jobs the test takes from step to step; a page exchanges four chunks unless it says otherwise. */
export async function world({ memoryQuota = null, page = 4 }: { memoryQuota?: number | null; page?: number } = {}) {
  const service = await idleService()
  const quotas = { memories: memoryQuota }
  const { client, workspaceId, tenant } = await tenantByHand(service, { features: ['ingest'], quotas })
  const { transaction } = tenant
  const { wiring } = service.kernel
  const scope = {
    wiring,
    log: createLog('silent'),
    events: { publish: async () => undefined },
    files: { remove: async () => undefined },
    exchangedTogetherMax: page,
  } as unknown as IngestScope
  const read = (id: string) => transaction(tx => findJob(tx, workspaceId, id))
  return {
    /** A version that is read to its end: a chunk for each word. */
    async version(
      words: readonly string[],
      { id = v7(), categories = [] }: { id?: string; categories?: readonly string[] } = {},
    ): Promise<string> {
      const chunks = words.map(word => ({ text: `The word is ${word}.`, headingPath: [] }))
      await transaction(async tx => {
        const row = {
          id,
          userId: 'ada',
          categories,
          format: 'TEXT',
          contentFormat: 'TEXT',
          fileName: 'words.txt',
          sourceUrl: null,
          documentName: 'words.txt',
          sizeBytes: 1,
          isReplacement: true,
        } as const
        await insertJob(tx, workspaceId, row, await joinDocuments(tx, workspaceId, row))
        await insertChunks(tx, workspaceId, id, 0, chunks)
        await advanceJob(tx, workspaceId, id, { stage: 'swap', chunksTotal: words.length })
      })
      return id
    },
    client,
    /** Routes and steps write memories by this. */
    writer: wiring.use(memoryWriter),
    /** `before` is called before each transaction of the step, with its number. */
    async step(id: string, before: (transaction: number) => Promise<unknown> = async () => undefined) {
      const claim = { workspaceId, id, attempts: 1, dueAt: new Date(), row: {}, lease: '', version: 0 }
      let transactions = 0
      const watched: Tenant = {
        ...tenant,
        async transaction(work) {
          await before(++transactions)
          return tenant.transaction(work)
        },
      }
      await step(scope, watched, claim, new AbortController().signal)
      const job = await read(id)
      if (!job) throw new Error('the job is gone')
      return job
    },
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
