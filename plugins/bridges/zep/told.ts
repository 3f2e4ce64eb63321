import { fail } from 'mneme/plugin'
import type { Asked } from '../bridge.ts'

export interface Told {
  readonly id: string
  readonly user_id: string
  readonly details: Readonly<Record<string, unknown>>
  readonly created_at: Date
}

type Kind = 'user' | 'thread'
type Asking = Pick<Asked, 'caller' | 'tenant' | 'service'>

/** Reads what was told of a user or a thread. @throws NOT_FOUND where nothing was, or where the key may not read what is that user's */
export async function readTold(asking: Asking, kind: Kind, id: string): Promise<Told> {
  const { tenant, service } = asking
  const [row] = await tenant.transaction(
    tx => tx<Told[]>`
      select told.id, told.user_id, told.details, told.created_at
      from bridges.told
      where told.workspace_id = ${tenant.workspaceId} and told.kind = ${kind} and told.id = ${id}`,
  )
  if (!row) throw fail('NOT_FOUND', { message: `No ${kind} has this id.` })
  await requireUser(service, row.user_id)
  return row
}

/** Notes what is told; what was told before of the same stays where it is not told anew. */
export async function tell(
  asking: Asking,
  kind: Kind,
  { id, user_id, details }: Omit<Told, 'created_at'>,
): Promise<Told> {
  const { tenant, service } = asking
  requireWriting(asking)
  await requireUser(service, user_id)
  const [row] = await tenant.transaction(
    tx => tx<Told[]>`
      insert into bridges.told as told (workspace_id, kind, id, user_id, details)
      values (${tenant.workspaceId}, ${kind}, ${id}, ${user_id}, ${JSON.stringify(details)}::text::jsonb)
      on conflict (workspace_id, kind, id) do update
        set details = told.details || excluded.details
        where told.user_id = excluded.user_id
      returning told.id, told.user_id, told.details, told.created_at`,
  )
  if (!row) throw fail('VALIDATION_ERROR', { message: `The ${kind} is another user's.` })
  return row
}

export async function forgetThread(asking: Asking, id: string): Promise<void> {
  const { tenant } = asking
  requireWriting(asking)
  await readTold(asking, 'thread', id)
  await tenant.transaction(
    tx => tx`
      delete from bridges.told
      where told.workspace_id = ${tenant.workspaceId} and told.kind = 'thread' and told.id = ${id}`,
  )
}

/** A key may be bound to users, which the service's own operations know. */
async function requireUser(service: Asking['service'], user_id: string | undefined): Promise<void> {
  await service.call('GET', '/v1/memories', { query: { user_id, page_size: 1 } })
}

function requireWriting({ caller: { permissions } }: Asking): void {
  if (permissions !== 'all' && !permissions.has('memory.write')) throw fail('FORBIDDEN')
}
