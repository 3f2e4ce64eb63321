import { hasFeature, type Tx } from 'mneme/plugin'
import { type ArchiveScope, type ArchiveSection, memoryReader } from '../../memories/contract.ts'
import { type ArchivedRow, type ArchivePlace, documentsAfter } from '../queries/archive.ts'
import { FEATURE, type IngestScope } from '../scope.ts'
import { type ArchivedChunk, CHUNKS_MAX, CHUNKS_TYPE, JOB_TYPE, readRecord, recordsOf } from './records.ts'
import { restoreDocument } from './restore.ts'

const BEGINNING: ArchivePlace = { jobId: '00000000-0000-0000-0000-000000000000', chunk: -1 }

/** Jobs that have ended and the places of their memories, by which documents are replaced and deleted where the memories are imported. */
export function createArchiveSection({ wiring }: Pick<IngestScope, 'wiring'>): ArchiveSection {
  return {
    name: 'ingest',
    types: [JOB_TYPE, CHUNKS_TYPE],
    heedsCategories: true,
    isForImports: true,
    async page(tx, workspaceId, scope, after, limit) {
      const place = placeOf(after)
      const rowsMax = Math.min(limit, CHUNKS_MAX)
      const rows = await documentsAfter(tx, workspaceId, scope, place, rowsMax)
      const isArchived = await archivedIn(tx, wiring, scope, rows)
      const groups = Map.groupBy(rows, ({ job }) => job.id)
      const records = [...groups.values()].flatMap(group => {
        const [{ job } = {}] = group
        const chunks = group.flatMap(({ chunk }) => (chunk && job && isArchived(chunk, job.userId) ? chunk : []))
        return job ? recordsOf(job, chunks, job.id === place.jobId) : []
      })
      const last = rows.at(-1)
      return {
        records,
        next: last && rows.length === rowsMax ? `${last.job.id}:${last.chunk?.place ?? -1}` : undefined,
      }
    },
    async restore(tenant, records) {
      const faults: { at: number; message: string }[] = []
      let restored = 0
      for (const [at, given] of records.entries()) {
        const reading = readRecord(given)
        if ('fault' in reading) faults.push({ at, message: reading.fault })
        else if (hasFeature(tenant.workspace, FEATURE) && (await restoreDocument({ wiring }, tenant, reading.record)))
          restored++
      }
      return { restored, faults }
    },
  }
}

function placeOf(cursor: string | undefined): ArchivePlace {
  if (cursor === undefined) return BEGINNING
  const [jobId = '', chunk] = cursor.split(':')
  return { jobId, chunk: Number(chunk) }
}

/** A chunk is archived with its memory: not where that is deleted, another user's, or of no category that is asked for. */
async function archivedIn(
  tx: Tx,
  wiring: IngestScope['wiring'],
  { categories }: ArchiveScope,
  rows: readonly ArchivedRow[],
): Promise<(chunk: ArchivedChunk, userId: string) => boolean> {
  const ids = rows.flatMap(({ chunk }) => chunk?.memoryId ?? [])
  const records = await wiring.use(memoryReader).records(tx, [...new Set(ids)])
  const inScope = records.filter(record => !categories || record.categories.some(word => categories.includes(word)))
  const owners = new Map(inScope.map(({ id, userId }) => [id, userId]))
  return ({ memoryId }, userId) => owners.get(memoryId) === userId
}
