import type { Tx } from 'mneme/plugin'
import type { NewJobRow } from '../job.ts'

/** The jobs of a name belong to one user; a name without jobs is no document yet. */
type Name = Pick<NewJobRow, 'userId' | 'documentName'>

/** Lets replacements of one name follow each other: two first ones at once would each find nothing to replace. */
export async function holdName(tx: Tx, workspaceId: string, { userId, documentName }: Name): Promise<void> {
  const name = JSON.stringify(['ingest', workspaceId, userId, documentName])
  await tx`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`
}

/** Counts the documents of a name that have memories or get some. */
export async function countDocuments(tx: Tx, workspaceId: string, name: Name): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(distinct job.document_id)::int as count
    from ingest.job
    where job.workspace_id = ${workspaceId}
      ${ofName(tx, name)}
      and ${hasContent(tx, workspaceId)}`
  return row?.count ?? 0
}

/**
 * Makes one document of all jobs of a name: an upload that replaced nothing began a document of its own, whose memories no version would
 * take away otherwise. A replacement under way keeps its document, then one that has memories or gets some.
 * @returns the document; undefined when there is none of the name
 */
export async function joinDocuments(tx: Tx, workspaceId: string, name: Name): Promise<string | undefined> {
  const [row] = await tx<{ document_id: string }[]>`
    select job.document_id
    from ingest.job
    where job.workspace_id = ${workspaceId}
      ${ofName(tx, name)}
    order by
      job.stage <> 'over' and job.is_replacement desc,
      ${hasContent(tx, workspaceId)} desc,
      job.created_at desc, job.id desc
    limit 1`
  if (!row) return undefined
  await tx`
    update ingest.job
    set document_id = ${row.document_id}
    where job.workspace_id = ${workspaceId}
      ${ofName(tx, name)}
      and job.document_id <> ${row.document_id}`
  return row.document_id
}

function ofName(tx: Tx, { userId, documentName }: Name) {
  return tx`
      and md5(job.document_name) = md5(${documentName})
      and job.document_name = ${documentName}
      and job.user_id = ${userId}`
}

function hasContent(tx: Tx, workspaceId: string) {
  return tx`(
        job.stage <> 'over' or exists (
          select
          from ingest.chunk
          where chunk.workspace_id = ${workspaceId}
            and chunk.job_id = job.id
            and chunk.state in ('created', 'kept')
        )
      )`
}
