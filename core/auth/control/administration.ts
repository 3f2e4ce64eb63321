import type { Database } from '../../db/database.ts'
import type { Administration } from '../administration.ts'
import type { CallerCache } from '../authenticate.ts'
import type { TenantGate } from '../directory.ts'
import * as keys from './keys.ts'
import { eraseTenantRows } from './tenant-rows.ts'
import * as ends from './workspace-ends.ts'
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
    },
    ends: {
      ids: ends.endedWorkspaceIds,
      findForgotten: ends.findForgotten,
      rememberErasers: ends.rememberErasers,
      remove: ends.removeEnded,
      pending: ends.pendingEnds,
      acknowledge: ends.acknowledgeEnd,
      rowsEraser: ends.ROWS_ERASER,
      eraseRows: (workspaceId, signal) => eraseTenantRows(database, workspaceId, signal),
      findOrphans: (limit, signal) => ends.findOrphans(database, limit, signal),
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
      forgetWorkspaces: accountId => directory.forgetWorkspaces(accountId),
    },
    sweep: tx => ends.sweepKeys(tx),
  }
}
