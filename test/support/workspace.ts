import { randomUUID } from 'node:crypto'
import type { Workspace } from '../../core/auth/caller.ts'
import type { TestService } from './service.ts'

/** Makes a workspace whose plan has these features and no limits; nothing is stored. */
export function workspaceWith(features: readonly string[], id = randomUUID() as string): Workspace {
  return {
    id,
    name: 'By hand',
    accountId: id,
    plan: 'unlimited',
    accountPlan: 'unlimited',
    features: new Set(features),
    quotas: {},
    settings: {},
    twinOf: null,
  }
}

/** Has the system know a workspace whose id a test has made up. */
export async function registerWorkspace({ account, database }: TestService, id: string): Promise<void> {
  const { accountId } = await account()
  await database.system(
    tx => tx`
      insert into core.workspace (id, account_id, name, plan)
      values (${id}, ${accountId}, 'By hand', 'unlimited')`,
  )
}
