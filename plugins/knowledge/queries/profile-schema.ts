import type { Tx } from 'mneme/plugin'
import type { ProfileSchema } from '../shaped/schema.ts'

export async function findProfileSchema(tx: Tx, workspaceId: string): Promise<ProfileSchema | undefined> {
  const [row] = await tx<{ schema: ProfileSchema }[]>`
    select profile_schema.schema
    from knowledge.profile_schema
    where profile_schema.workspace_id = ${workspaceId}`
  return row?.schema
}

export async function saveProfileSchema(tx: Tx, workspaceId: string, schema: ProfileSchema): Promise<void> {
  await tx`
    insert into knowledge.profile_schema (workspace_id, schema, updated_at)
    values (${workspaceId}, ${JSON.stringify(schema)}::text::json, now())
    on conflict on constraint profile_schema_pk do update
    set schema = excluded.schema, updated_at = excluded.updated_at`
}

/** @returns whether there was one */
export async function deleteProfileSchema(tx: Tx, workspaceId: string): Promise<boolean> {
  const rows = await tx`
    delete from knowledge.profile_schema
    where profile_schema.workspace_id = ${workspaceId}
    returning profile_schema.workspace_id`
  return rows.length > 0
}
