import type postgres from 'postgres'

/** A graph that is large, uneven and the same at every run. */
export interface BenchGraph {
  readonly workspaceId: string
  /** Entities to start from: some of few relationships, some of very many. */
  readonly starts: readonly string[]
}

const TYPES = ['WORKS_AT', 'KNOWS', 'COLLABORATES_WITH', 'USES_TECHNOLOGY', 'LIVES_IN', 'PART_OF', 'LIKES']

/**
 * Entities and edges straight into the tables of the only workspace, each edge with one to three pieces of evidence. Ends are
 * drawn with a power of a uniform number, so that a few entities have thousands of edges and most have a handful.
 */
export async function fillGraph(
  sql: postgres.Sql,
  entities: number,
  edges: number,
  starts: number,
): Promise<BenchGraph> {
  const [workspace] = await sql<{ id: string }[]>`select id from core.workspace where twin_of is null limit 1`
  const workspaceId = workspace?.id ?? ''
  await sql`select setseed(0.42)`
  await sql`
    insert into graph.entity
      (workspace_id, id, user_id, type, name, normal_name, known_from, created_at, updated_at)
    select
      ${workspaceId}::uuid, md5('entity ' || n)::uuid, 'bench',
      (array['PERSON', 'ORGANIZATION', 'PLACE', 'THING'])[1 + n % 4],
      'Entity ' || n, 'entity ' || n, now() - interval '400 days', now(), now()
    from generate_series(0, ${entities - 1}::integer) as n`
  await sql`
    insert into graph.edge (
      workspace_id, id, user_id, source_id, target_id, type, known_from, weight, weighed_at, created_at, updated_at
    )
    select
      ${workspaceId}::uuid, md5('edge ' || n)::uuid, 'bench',
      md5('entity ' || floor(power(random(), 2) * ${entities}::integer)::integer)::uuid,
      md5('entity ' || floor(power(random(), 4) * ${entities}::integer)::integer)::uuid,
      (${TYPES}::text[])[1 + n % 7], now() - make_interval(days => n % 400), 0.3 + 0.69 * random(), now(), now(), now()
    from generate_series(0, ${edges - 1}::integer) as n`
  await sql`delete from graph.edge where source_id = target_id`
  await sql`
    insert into graph.evidence (
      workspace_id, id, memory_id, user_id, source_id, target_id, type, edge_id, confidence, closes, span_start, span_end,
      stated_at, effective_at
    )
    select
      edge.workspace_id, gen_random_uuid(), gen_random_uuid(), 'bench', edge.source_id, edge.target_id, edge.type, edge.id,
      edge.weight, false, 0, 10, edge.known_from, edge.known_from
    from graph.edge
    cross join lateral generate_series(1, 1 + (('x' || left(edge.id::text, 2))::bit(8)::integer % 3)) as copy`
  await sql`analyze graph.entity, graph.edge, graph.evidence`
  const rows = await sql<{ id: string }[]>`
    select entity.id
    from graph.entity
    where exists (select from graph.edge where edge.source_id = entity.id)
    order by md5('start ' || entity.id)
    limit ${starts}`
  const hubs = await sql<{ id: string }[]>`
    select target_id as id from graph.edge group by target_id order by count(*) desc limit 10`
  return { workspaceId, starts: [...hubs, ...rows].map(row => row.id) }
}
