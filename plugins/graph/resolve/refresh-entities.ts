import { plainArray, type Tx } from 'mneme/plugin'

/** Entities that are not what they were. */
export interface Refreshed {
  /** They go by another normal name. */
  readonly renamed: readonly string[]
  /** Their neighbours have to call them something else. */
  readonly calledAnew: readonly string[]
}

/**
 * Brings entities to what their mentions say: the name by which the oldest names them (of a person the
 * whole one, of the user the one that was told
 * last, or the user's id), and since when they are known. Those that nothing names any more go.
 */
export async function refreshEntities(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<Refreshed> {
  if (ids.length === 0) return { renamed: [], calledAnew: [] }
  const rows = await tx<{ id: string; is_renamed: boolean; is_called_the_same: boolean }[]>`
    with touched as (${namesByMention(tx, workspaceId, ids)}),
    gone as (
      delete from graph.entity
      using touched
      where entity.workspace_id = ${workspaceId}
        and entity.id = touched.id
        and touched.names is null
      returning entity.id
    ),
    nameless as (
      delete from graph.name
      using gone
      where name.workspace_id = ${workspaceId}
        and name.entity_id = gone.id
    ),
    named as (
      select
        touched.id, touched.stated_at, touched.former_name, touched.former_normal_name, touched.was_user,
        touched.user_names is not null as is_user,
        (coalesce(touched.user_names, touched.names))[1] as name,
        (coalesce(touched.user_normal_names, touched.normal_names))[1] as normal_name
      from touched
      where touched.names is not null
    )
    update graph.entity
    set
      name = named.name, normal_name = named.normal_name, is_user = named.is_user, known_from = named.stated_at,
      -- A vector is of the name.
      embedding = case when entity.name = named.name then entity.embedding end,
      embedding_model = case when entity.name = named.name then entity.embedding_model end,
      updated_at = now()
    from named
    where entity.workspace_id = ${workspaceId}
      and entity.id = named.id
      and (entity.name, entity.normal_name, entity.is_user, entity.known_from)
        is distinct from (named.name, named.normal_name, named.is_user, named.stated_at)
    returning
      entity.id,
      named.former_normal_name <> named.normal_name as is_renamed,
      -- Others say "the user" of the user, whatever the name.
      named.was_user = named.is_user and (named.is_user or named.former_name = named.name) as is_called_the_same`
  return {
    renamed: rows.flatMap(row => (row.is_renamed ? [row.id] : [])),
    calledAnew: rows.flatMap(row => (row.is_called_the_same ? [] : [row.id])),
  }
}

/** Reads the names of each entity's oldest mention and, for the user, of the mention that tells the name best. */
function namesByMention(tx: Tx, workspaceId: string, ids: readonly string[]) {
  return tx`
    select
      entity.id, entity.name as former_name, entity.normal_name as former_normal_name, entity.is_user as was_user,
      coalesce(whole.names, first.names) as names, coalesce(whole.normal_names, first.normal_names) as normal_names,
      first.stated_at, own.user_names, own.user_normal_names
    from graph.entity
    left join lateral (
      select mention.names, mention.normal_names, mention.stated_at
      from graph.mention
      where mention.workspace_id = ${workspaceId}
        and mention.entity_id = entity.id
      order by mention.stated_at, mention.memory_id
      limit 1
    ) as first on true
    -- A person is called by the whole name, also where the oldest memory has it in short.
    left join lateral (
      select mention.names, mention.normal_names
      from (
        select name.normal_name
        from graph.name
        where name.workspace_id = ${workspaceId}
          and name.entity_id = entity.id
          and (
            starts_with(name.normal_name, first.normal_names[1] || ' ')
            or right(name.normal_name, length(first.normal_names[1]) + 1) = ' ' || first.normal_names[1]
          )
        order by length(name.normal_name) desc, name.normal_name
        limit 1
      ) as longest
      join graph.mention
        on mention.workspace_id = ${workspaceId}
        and mention.entity_id = entity.id
        and mention.normal_names[1] = longest.normal_name
      where entity.type = 'PERSON'
      order by mention.stated_at, mention.memory_id
      limit 1
    ) as whole on true
    left join lateral (
      select mention.names as user_names, mention.normal_names as user_normal_names
      from graph.mention
      where mention.workspace_id = ${workspaceId}
        and mention.entity_id = entity.id
        and mention.is_user
      order by cardinality(mention.names) > 1 desc, mention.stated_at desc, mention.memory_id desc
      limit 1
    ) as own on true
    where entity.workspace_id = ${workspaceId}
      and entity.id = any(${plainArray(ids)}::uuid[])`
}

/** Forgets names that no mention of their entity bears any more. */
export async function dropNames(
  tx: Tx,
  workspaceId: string,
  names: readonly { readonly entityId: string; readonly normalName: string }[],
): Promise<void> {
  if (names.length === 0) return
  const rows = names.map(({ entityId, normalName }) => ({ entity_id: entityId, normal_name: normalName }))
  await tx`
    delete from graph.name
    using jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as former (entity_id uuid, normal_name text)
    where name.workspace_id = ${workspaceId}
      and name.entity_id = former.entity_id
      and name.normal_name = former.normal_name
      and not exists (
        select
        from graph.mention
        where mention.workspace_id = ${workspaceId}
          and mention.entity_id = former.entity_id
          and former.normal_name = any(mention.normal_names)
      )`
}
