import type { Database } from '../../db/database.ts'
import type { Administration } from '../administration.ts'
import type { CallerCache } from '../authenticate.ts'
import type { TenantGate } from '../directory.ts'
import * as keys from './keys.ts'
import { sweepSessions } from './sweep.ts'
import { eraseTenantRows } from './tenant-rows.ts'
import * as workspaces from './workspaces.ts'

export interface AdministrationParts {
  readonly database: Database
  readonly authenticator: CallerCache
  readonly directory: TenantGate
}

export function createAdministration({ database, authenticator, directory }: AdministrationParts): Administration {
  return {
    workspaces: {
      get: workspaces.getWorkspace,
      find: workspaces.findWorkspaces,
      list: workspaces.listWorkspaces,
      insert: workspaces.insertWorkspace,
      update: workspaces.updateWorkspace,
      close: workspaces.closeWorkspace,
      closedIds: workspaces.closedWorkspaceIds,
      findForgotten: workspaces.findForgotten,
      removeClosed: workspaces.removeClosedWorkspace,
      eraseRows: (workspaceId, signal) => eraseTenantRows(database, workspaceId, signal),
    },
    keys: {
      get: keys.getKey,
      lock: keys.lockKey,
      list: keys.listKeys,
      insert: keys.insertKey,
      update: keys.updateKey,
      rotate: keys.rotateKey,
      revoke: keys.revokeKey,
      grantWorkspace: keys.grantWorkspace,
    },
    remembered: {
      forgetKey: keyId => authenticator.forgetKey(keyId),
      forgetAccount: accountId => authenticator.forgetAccount(accountId),
      forgetWorkspace: workspaceId => directory.forget(workspaceId),
    },
    sweepSessions,
  }
}
