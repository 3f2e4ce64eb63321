import type { TestService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

/** Resolves when nothing of a workspace waits to be processed or read. */
export async function allRead(service: Pick<TestService, 'database'>, workspaceId: string, memories: number) {
  await until('all memories are read', async () => {
    const [row] = await service.database.workspace(
      workspaceId,
      tx => tx<{ unread: number; read: number }[]>`
        select
          count(*) filter (where reading.read_at is null)::integer as unread,
          count(*) filter (where reading.read_at is not null)::integer as read
        from graph.reading
        where reading.workspace_id = ${workspaceId}`,
    )
    return row?.unread === 0 && row.read === memories
  })
}

/** The edges of a workspace as sentences: `Ada WORKS_AT Acme`, with `-` before those that hold no more. */
export async function edgesOf(service: Pick<TestService, 'database'>, workspaceId: string): Promise<string[]> {
  const rows = await service.database.workspace(
    workspaceId,
    tx => tx<{ line: string }[]>`
      select (case when edge.known_to is null then '' else '-' end) || source.name || ' ' || edge.type || ' ' || target.name as line
      from graph.edge
      join graph.entity as source on source.workspace_id = ${workspaceId} and source.id = edge.source_id
      join graph.entity as target on target.workspace_id = ${workspaceId} and target.id = edge.target_id
      where edge.workspace_id = ${workspaceId}
      order by 1`,
  )
  return rows.map(row => row.line)
}
