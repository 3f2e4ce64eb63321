import type { TestService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { WILDCARD_TARGET } from './fold-evidence.ts'

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
      select
        (case when edge.known_to is null then '' else '-' end)
        || case
          -- Which end comes first hangs on ids.
          when edge.type in ('MARRIED_TO', 'KNOWS', 'COLLABORATES_WITH', 'RELATED_TO')
            then least(source.name, target.name) || ' ' || edge.type || ' ' || greatest(source.name, target.name)
          else source.name || ' ' || edge.type || ' ' || target.name
        end as line
      from graph.edge
      join graph.entity as source on source.workspace_id = ${workspaceId} and source.id = edge.source_id
      join graph.entity as target on target.workspace_id = ${workspaceId} and target.id = edge.target_id
      where edge.workspace_id = ${workspaceId}
      order by 1`,
  )
  return rows.map(row => row.line)
}

/** The entities of a workspace with how many memories name them, their names, and what they are described as. */
export async function entitiesOf(service: Pick<TestService, 'database'>, workspaceId: string): Promise<string[]> {
  const rows = await service.database.workspace(
    workspaceId,
    tx => tx<{ line: string }[]>`
      select
        entity.type || ' ' || entity.name || ' ' || entity.is_user
        || ' ' || (
          select count(*) from graph.mention where mention.workspace_id = ${workspaceId} and mention.entity_id = entity.id
        )
        || ' ' || (
          select string_agg(name.normal_name, '+' order by name.normal_name)
          from graph.name
          where name.workspace_id = ${workspaceId} and name.entity_id = entity.id
        )
        || ': ' || coalesce(entity.description, '') as line
      from graph.entity
      where entity.workspace_id = ${workspaceId}
      order by 1`,
  )
  return rows.map(row => row.line)
}

/** Finds rows that do not follow from mentions and evidence, and dangling references. */
export async function faultsOf(service: Pick<TestService, 'database'>, workspaceId: string): Promise<string[]> {
  const rows = await service.database.workspace(
    workspaceId,
    tx => tx<{ fault: string }[]>`
      select 'an entity that nothing names: ' || entity.name as fault
      from graph.entity
      where entity.workspace_id = ${workspaceId}
        and not exists (
          select from graph.mention where mention.workspace_id = ${workspaceId} and mention.entity_id = entity.id
        )
      union all
      select 'a mention of nothing: ' || mention.names[1]
      from graph.mention
      where mention.workspace_id = ${workspaceId}
        and not exists (
          select from graph.entity where entity.workspace_id = ${workspaceId} and entity.id = mention.entity_id
        )
      union all
      select 'a name that no mention bears: ' || name.normal_name
      from graph.name
      where name.workspace_id = ${workspaceId}
        and not exists (
          select from graph.mention
          where mention.workspace_id = ${workspaceId}
            and mention.entity_id = name.entity_id
            and name.normal_name = any(mention.normal_names)
        )
      union all
      select 'an edge without evidence: ' || edge.type
      from graph.edge
      where edge.workspace_id = ${workspaceId}
        and not exists (
          select from graph.evidence
          where evidence.workspace_id = ${workspaceId}
            and evidence.edge_id = edge.id
            and evidence.source_id = edge.source_id
            and evidence.target_id = edge.target_id
            and evidence.type = edge.type
        )
      union all
      select 'evidence without an edge: ' || evidence.type
      from graph.evidence
      where evidence.workspace_id = ${workspaceId}
        and evidence.source_id <> evidence.target_id
        and not evidence.only_ends
        and not exists (
          select from graph.edge where edge.workspace_id = ${workspaceId} and edge.id = evidence.edge_id
        )
      union all
      select 'an end that is no entity: ' || edge.type
      from graph.edge
      where edge.workspace_id = ${workspaceId}
        and (
          select count(*) from graph.entity
          where entity.workspace_id = ${workspaceId} and entity.id in (edge.source_id, edge.target_id)
        ) <> 2
      union all
      select 'evidence of a memory that does not name its ends: ' || evidence.type
      from graph.evidence
      where evidence.workspace_id = ${workspaceId}
        and (
          select count(*) from graph.mention
          where mention.workspace_id = ${workspaceId}
            and mention.memory_id = evidence.memory_id
            and mention.entity_id in (evidence.source_id, evidence.target_id)
        ) <> case when evidence.target_id = ${WILDCARD_TARGET} then 1 else 2 end
      union all
      select 'facts of a memory that was not read: ' || statement.text
      from graph.statement
      where statement.workspace_id = ${workspaceId}
        and not exists (
          select from graph.reading
          where reading.workspace_id = ${workspaceId}
            and reading.memory_id = statement.memory_id
            and reading.read_at is not null
        )`,
  )
  return rows.map(row => row.fault)
}
