import { firstAccountId } from '../../core/auth/control/accounts.ts'
import { insertKey } from '../../core/auth/control/keys.ts'
import { insertWorkspace } from '../../core/auth/control/workspaces.ts'
import { DEFAULT_PLAN } from '../../core/auth/plans.ts'
import type { Database } from '../../core/db/database.ts'

/** A workspace to fill and to search. */
export interface Place {
  readonly id: string
  readonly key: string
}

/** A workspace of its own with a key that may do everything. */
export function makePlace(database: Database, name: string, plan = DEFAULT_PLAN): Promise<Place> {
  return database.system(async tx => {
    const accountId = (await firstAccountId(tx)) ?? ''
    const { id } = await insertWorkspace(tx, { accountId, name, plan })
    const grants = { permissions: [], allPermissions: true }
    const { key } = await insertKey(tx, { accountId, workspaceId: id, name, mode: 'live', ...grants })
    return { id, key }
  })
}
