import type { Workspace } from 'mneme/plugin'
import { v7 } from 'uuid'
import { createLog } from '../../../core/log.ts'
import { idleService } from '../../../test/support/service.ts'
import { tenantByHand, watchedTenant } from '../../../test/support/tenant.ts'
import type { NewJobRow } from '../job.ts'
import { joinDocuments } from '../queries/documents.ts'
import { findJob, insertJob } from '../queries/jobs.ts'
import type { IngestScope } from '../scope.ts'
import { rankOf } from '../work.ts'
import { step } from './step.ts'

/** A workspace whose jobs the test takes from step to step. @param parts what their steps find in the scope beside the other plugins */
export async function stepWorld(parts: object, quotas: Workspace['quotas'] = {}) {
  const service = await idleService()
  const { client, workspaceId, tenant } = await tenantByHand(service, { features: ['ingest'], quotas })
  const { wiring } = service.kernel
  const scope = {
    wiring,
    log: createLog('silent'),
    events: { publish: async () => undefined },
    files: { remove: async () => undefined },
    ...parts,
  } as unknown as IngestScope
  return {
    client,
    workspaceId,
    tenant,
    scope,
    /** A job whose document waits to be read. @returns its id */
    async submit(job: Partial<NewJobRow> = {}): Promise<string> {
      const row: NewJobRow = {
        id: v7(),
        userId: 'ada',
        categories: [],
        format: 'TEXT',
        contentFormat: 'TEXT',
        charset: null,
        fileName: 'words.txt',
        sourceUrl: null,
        documentName: 'words.txt',
        sizeBytes: 1,
        isReplacement: false,
        instructions: null,
        ...job,
      }
      await tenant.transaction(async tx => {
        const documentId = row.isReplacement ? await joinDocuments(tx, workspaceId, row) : undefined
        await insertJob(tx, workspaceId, row, documentId)
      })
      return row.id
    },
    /** Does the next step of a job. `ahead` is called before each transaction of the step, with its number. */
    async step(id: string, ahead: (transaction: number) => Promise<unknown> = async () => undefined, attempts = 1) {
      const before = await tenant.transaction(tx => findJob(tx, workspaceId, id))
      const row = { rank: rankOf(before?.stage ?? 'over'), error: null }
      const claim = { workspaceId, id, attempts, dueAt: new Date(), row, lease: '', version: 0 }
      const outcome = await step(scope, watchedTenant(tenant, ahead), claim, new AbortController().signal)
      const job = await tenant.transaction(tx => findJob(tx, workspaceId, id))
      if (!job) throw new Error('the job is gone')
      return { outcome, job }
    },
  }
}

/** Chunks of a document that has a word in each. */
export function chunksOf(...words: readonly string[]) {
  return words.map(word => ({ text: `The word is ${word}.`, headingPath: [] }))
}
