import { expect } from 'bun:test'
import { watchedTenant } from '../../../test/support/tenant.ts'
import { type ArchiveSection, type MemoryArchive, memoryArchive } from '../../memories/contract.ts'
import { forgetDeleted } from '../forget-deleted.ts'
import type { Format } from '../job.ts'
import { beginWriting } from '../queries/writing.ts'
import type { ExportsScope } from '../scope.ts'
import { handWorld } from '../world.test-support.ts'
import { type Outcome, writeExport } from './write-export.ts'

/** Writes exports by hand; `before` is called before each transaction of the writing, with its number. */
export async function writingWorld() {
  const { client, database, workspaceId, tenant, scope: made } = await handWorld()
  const rested: unknown[] = []
  const queued: { id: unknown; inMs: number }[] = []
  const jobs: ExportsScope['jobs'] = {
    async enqueue(_, added) {
      for (const { payload, inMs = 0 } of added) {
        const id: unknown = Object(payload).export_id
        queued.push({ id, inMs })
        if (inMs >= 60_000) rested.push(id)
      }
    },
  }
  const published: string[] = []
  const events: ExportsScope['events'] = {
    async publish(_, added) {
      for (const { kind, subjectId } of added) published.push(`${kind} ${subjectId}`)
    },
  }
  const reading = { snapshots: 0 }
  const watchedDatabase: ExportsScope['database'] = {
    ...database,
    async workspace(id, work, options) {
      if (options?.snapshot) reading.snapshots++
      try {
        return await database.workspace(id, work, options)
      } finally {
        if (options?.snapshot) reading.snapshots--
      }
    },
  }
  let sections: readonly ArchiveSection[] | undefined
  let archive = made.wiring.use(memoryArchive)
  const wiring: ExportsScope['wiring'] = {
    use: port => ((port as unknown) === memoryArchive ? (archive as never) : made.wiring.use(port)),
    find: port => made.wiring.find(port),
    extensions: point => (sections as never) ?? made.wiring.extensions(point),
    contributions: point => made.wiring.contributions(point),
  }
  const scope = { ...made, events, jobs, wiring, database: watchedDatabase }
  const forget = async (id: string) => {
    const data = { id, user_id: 'default', ids: [id], count: 1 }
    const event = { workspaceId, userId: 'default', data } as unknown as Parameters<typeof forgetDeleted.handle>[0]
    await forgetDeleted.handle(event, scope)
  }
  const pieces = async (id: string) => {
    const rows = await database.workspace(
      workspaceId,
      tx => tx<{ text: string }[]>`
        select convert_from(export_piece.bytes, 'UTF8') as text
        from exports.export_piece
        where export_piece.workspace_id = ${workspaceId} and export_piece.export_id = ${id}`,
    )
    return rows.map(row => row.text)
  }
  return {
    client,
    /** Exports have these sections instead of those of the plugins. */
    useSections(own: readonly ArchiveSection[]): void {
      sections = own
    },
    /** The memories plugin does this in another way. */
    changeArchive(change: Partial<MemoryArchive>): void {
      archive = { ...archive, ...change }
    },
    async add(memory: string): Promise<string> {
      return (await client.post('/v1/memories', { memory })).body.id
    },
    async remove(id: string): Promise<void> {
      expect((await client.delete(`/v1/memories/${id}`)).status).toBe(204)
      await forget(id)
    },
    forget,
    queued,
    /** Events with what they are about. */
    published,
    /** Counts the snapshots that are open. */
    reading,
    async begin(format: Format, include?: readonly string[], categories?: readonly string[]): Promise<string> {
      const body = { format, ...(include ? { include } : {}), ...(categories ? { categories } : {}) }
      return (await client.post('/v1/exports', body)).body.id
    },
    /** Gives a memory a history of long events; the last of them is of an absorbed memory. */
    async lengthen(id: string, events: number, absorbedId: string): Promise<void> {
      await database.workspace(
        workspaceId,
        tx => tx`
          insert into memories.history
            (workspace_id, memory_id, id, event, old_content, new_content, revision, absorbed_id, created_at)
          select ${workspaceId}::uuid, ${id}::uuid, ('ffffffff-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'UPDATED',
            'Bob keeps the secret.', repeat('é', 50000), n, case when n = ${events}::int then ${absorbedId}::uuid end, now()
          from generate_series(1, ${events}::int) as n`,
      )
    },
    async pieceSizes(id: string): Promise<number[]> {
      return (await pieces(id)).map(text => Buffer.byteLength(text))
    },
    pieces,
    /** Exports that are to be written again after a rest. */
    rested,
    async age(id: string): Promise<void> {
      await database.workspace(
        workspaceId,
        tx => tx`
          update exports.export
          set created_at = now() - interval '25 hours'
          where export.workspace_id = ${workspaceId} and export.id = ${id}`,
      )
    },
    /** Makes it one of a category only, whatever sections it has. */
    async narrow(id: string, category: string): Promise<void> {
      await database.workspace(
        workspaceId,
        tx => tx`
          update exports.export
          set categories = array[${category}::text]
          where export.workspace_id = ${workspaceId} and export.id = ${id}`,
      )
    },
    async expire(id: string): Promise<void> {
      await database.workspace(
        workspaceId,
        tx => tx`
          update exports.export
          set expires_at = now() - interval '1 second'
          where export.workspace_id = ${workspaceId} and export.id = ${id}`,
      )
    },
    async write(
      id: string,
      before: (transaction: number) => Promise<unknown> = async () => undefined,
      stateMs?: number,
    ): Promise<Outcome> {
      const target = await database.workspace(workspaceId, tx => beginWriting(tx, workspaceId, id))
      if (!target) throw new Error('there is nothing to write')
      return writeExport(scope, watchedTenant(tenant, before), target, new AbortController().signal, stateMs)
    },
  }
}
