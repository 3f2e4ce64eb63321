import { createHash } from 'node:crypto'
import { plainArray, type Tx } from 'mneme/plugin'
import type { RelationType } from '../contract.ts'
import { type Triple, toTriple } from '../resolve/move-mentions.ts'
import { dropNames } from '../resolve/refresh-entities.ts'
import { regroupEntities } from '../resolve/regroup-entities.ts'

/** The remaining updates after a change of one user's facts. */
export interface Touched {
  readonly triples: Triple[]
  readonly entityIds: Set<string>
  /** Categories whose statements came, changed or went. */
  readonly categories: Set<string>
}

/**
 * Serialises changes of users' graphs until the transaction ends; always in one order, and after the memories' own locks. The users of a
 * workspace share 256 locks: the server's table of locks, which all workspaces share, has room for some thousands.
 */
export async function lockUsers(tx: Tx, workspaceId: string, userIds: Iterable<string>): Promise<void> {
  const places = new Set([...userIds].map(userId => createHash('sha256').update(userId).digest().readUInt8()))
  for (const place of [...places].sort((a, b) => a - b)) {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`graph ${workspaceId} ${place}`}, 0))`
  }
}

/** The users whose facts some memories tell, by the facts themselves too: nothing else tells of a memory whose reading is not noted. */
export async function usersOf(tx: Tx, workspaceId: string, memoryIds: readonly string[]): Promise<string[]> {
  const ids = plainArray(memoryIds)
  const rows = await tx<{ user_id: string }[]>`
    select reading.user_id
    from graph.reading
    where reading.workspace_id = ${workspaceId}
      and reading.memory_id = any(${ids}::uuid[])
    union
    select mention.user_id
    from graph.mention
    where mention.workspace_id = ${workspaceId}
      and mention.memory_id = any(${ids}::uuid[])
    union
    select evidence.user_id
    from graph.evidence
    where evidence.workspace_id = ${workspaceId}
      and evidence.memory_id = any(${ids}::uuid[])
    union
    select statement.user_id
    from graph.statement
    where statement.workspace_id = ${workspaceId}
      and statement.memory_id = any(${ids}::uuid[])`
  return rows.map(row => row.user_id)
}

/** Takes back all that memories said; the caller holds the users' locks. @returns by user what has to be brought up to date */
export async function withdraw(
  tx: Tx,
  workspaceId: string,
  memoryIds: readonly string[],
): Promise<Map<string, Touched>> {
  const touched = new Map<string, Touched>()
  const of = (userId: string): Touched => {
    const known = touched.get(userId) ?? { triples: [], entityIds: new Set(), categories: new Set() }
    touched.set(userId, known)
    return known
  }
  const [mentions, evidence, statements] = await deleteFacts(tx, workspaceId, memoryIds)
  for (const row of evidence) of(row.user_id).triples.push(toTriple(row))
  for (const row of statements) of(row.user_id).categories.add(row.category)
  const names = new Map<string, Map<string, { entityId: string; normalName: string }>>()
  for (const { user_id: userId, entity_id: entityId, normal_names: json } of mentions) {
    of(userId).entityIds.add(entityId)
    const normalNames: unknown = JSON.parse(json)
    const own = names.get(userId) ?? new Map()
    names.set(userId, own)
    for (const normalName of Array.isArray(normalNames) ? normalNames.map(String) : [])
      own.set(`${entityId} ${normalName}`, { entityId, normalName })
  }
  for (const [userId, own] of names) {
    const list = [...own.values()]
    const regrouped = await regroupEntities(
      tx,
      { workspaceId, userId },
      { names: [...new Set(list.map(({ normalName }) => normalName))], entityIds: [...of(userId).entityIds] },
    )
    // Only then, since a name that nothing bears any more may have tied what is left.
    await dropNames(tx, workspaceId, list)
    for (const id of regrouped.entityIds) of(userId).entityIds.add(id)
    of(userId).triples.push(...regrouped.triples)
  }
  return touched
}

function deleteFacts(tx: Tx, workspaceId: string, memoryIds: readonly string[]) {
  const ids = plainArray(memoryIds)
  return Promise.all([
    tx<{ user_id: string; entity_id: string; normal_names: string }[]>`
      with gone as (
        delete from graph.mention
        where mention.workspace_id = ${workspaceId}
          and mention.memory_id = any(${ids}::uuid[])
        returning mention.user_id, mention.entity_id, mention.normal_names
      )
      select distinct gone.user_id, gone.entity_id, to_json(gone.normal_names)::text as normal_names
      from gone`,
    tx<{ user_id: string; source_id: string; target_id: string; type: RelationType }[]>`
      with gone as (
        delete from graph.evidence
        where evidence.workspace_id = ${workspaceId}
          and evidence.memory_id = any(${ids}::uuid[])
        returning evidence.user_id, evidence.source_id, evidence.target_id, evidence.type
      )
      select distinct gone.user_id, gone.source_id, gone.target_id, gone.type
      from gone`,
    tx<{ user_id: string; category: string }[]>`
      with gone as (
        delete from graph.statement
        where statement.workspace_id = ${workspaceId}
          and statement.memory_id = any(${ids}::uuid[])
        returning statement.user_id, statement.categories
      )
      select distinct gone.user_id, category
      from gone
      cross join lateral unnest(gone.categories) as category`,
  ])
}
