import { fail } from 'mneme/plugin'
import type { Asked } from './bridge.ts'

interface Scope {
  readonly user_id?: string
  readonly agent_id?: string
  readonly session_id?: string
}

/** Deletes all memories of a scope, which other services do without the account's password, where the server and the key allow that. */
export async function deleteAll(
  { service, caller, deletesAll }: Pick<Asked, 'service' | 'caller' | 'deletesAll'>,
  scope: Scope,
): Promise<void> {
  const mayDelete = caller.permissions === 'all' || caller.permissions.has('memory.delete')
  if (!mayDelete || !deletesAll)
    throw fail('PASSWORD_CONFIRMATION_REQUIRED', {
      message:
        'Without the password all memories of a scope are deleted only where the server sets `BRIDGES_DELETE_ALL=true` and the key has the permission `memory.delete`. `DELETE /v1/memories` takes the password.',
    })
  await service.call('DELETE', '/v1/memories', { query: { ...scope }, confirmed: true })
}
