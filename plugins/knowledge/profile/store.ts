import { plainArray, type Tx } from 'mneme/plugin'
import type { Portrait } from './portrait.ts'

export interface StoredProfile {
  readonly id: string
  readonly userId: string
  readonly portrait: Portrait
  readonly entityCount: number
  readonly extractedAt: Date
}

interface ProfileRow {
  id: string
  user_id: string
  portrait: Portrait
  entity_count: number
  extracted_at: Date
}

export async function findProfile(tx: Tx, workspaceId: string, userId: string): Promise<StoredProfile | undefined> {
  const [row] = await tx<ProfileRow[]>`
    select profile.id, profile.user_id, profile.portrait, profile.entity_count, profile.extracted_at
    from knowledge.profile
    where profile.workspace_id = ${workspaceId}
      and profile.user_id = ${userId}`
  return row && toProfile(row)
}

/** The profiles among `ids`, held until the transaction ends. */
export async function holdProfiles(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<StoredProfile[]> {
  const rows = await tx<ProfileRow[]>`
    select profile.id, profile.user_id, profile.portrait, profile.entity_count, profile.extracted_at
    from knowledge.profile
    where profile.workspace_id = ${workspaceId}
      and profile.id = any(${plainArray(ids)}::uuid[])
    order by profile.id
    for update`
  return rows.map(toProfile)
}

export async function saveProfile(tx: Tx, workspaceId: string, profile: StoredProfile): Promise<void> {
  const { id, userId, portrait, entityCount, extractedAt } = profile
  await tx`
    insert into knowledge.profile (workspace_id, user_id, id, portrait, entity_count, extracted_at)
    values (
      ${workspaceId}, ${userId}, ${id}, ${JSON.stringify(portrait)}::text::jsonb, ${entityCount}, ${extractedAt}
    )
    on conflict (workspace_id, user_id) do update
    set
      portrait = excluded.portrait, entity_count = excluded.entity_count, extracted_at = excluded.extracted_at`
}

export async function deleteProfile(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx`
    delete from knowledge.profile
    where profile.workspace_id = ${workspaceId}
      and profile.id = ${id}`
}

function toProfile(row: ProfileRow): StoredProfile {
  return {
    id: row.id,
    userId: row.user_id,
    portrait: row.portrait,
    entityCount: row.entity_count,
    extractedAt: row.extracted_at,
  }
}
