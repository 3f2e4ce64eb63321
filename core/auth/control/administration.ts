import { basePathOf, type CoreConfig } from '../../config.ts'
import type { Database } from '../../db/database.ts'
import type { KeyRing } from '../../secrets/key-ring.ts'
import type { Administration } from '../administration.ts'
import type { Authenticator } from '../authenticate.ts'
import type { TenantGate } from '../directory.ts'
import { hashPassword } from '../password.ts'
import { assertSameOrigin } from '../same-origin.ts'
import type { Sessions } from '../sessions.ts'
import * as accounts from './accounts.ts'
import * as keys from './keys.ts'
import * as members from './members.ts'
import { eraseTenantRows } from './tenant-rows.ts'
import * as ends from './workspace-ends.ts'
import * as workspaces from './workspaces.ts'

export interface AdministrationParts {
  readonly database: Database
  readonly authenticator: Omit<Authenticator, 'authenticate' | 'flush'>
  readonly keys: KeyRing
  readonly directory: TenantGate
  readonly sessions: Pick<Sessions, 'accountOf'>
  readonly config: Pick<CoreConfig, 'PUBLIC_URL' | 'BASE_PATH' | 'PASSWORD_SIGN_IN'>
}

export function createAdministration(parts: AdministrationParts): Administration {
  const { database, authenticator, directory } = parts
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
    members: {
      list: members.listMembers,
      put: members.putMember,
      changeRole: members.changeRole,
      remove: members.removeMember,
      invite: members.invite,
      lockInvitation: members.lockInvitation,
    },
    accounts: accountsOf(parts),
    accessTokens: {
      keys: parts.keys.all.map(key => key.derive('access-tokens')),
      recognise: find => authenticator.recognise(find),
    },
    remembered: {
      forgetKey: keyId => authenticator.forgetKey(keyId),
      forgetAccount: accountId => authenticator.forgetAccount(accountId),
      forgetWorkspaces: accountId => directory.forgetWorkspaces(accountId),
    },
    async sweep(tx) {
      await ends.sweepKeys(tx)
      await members.sweepMembers(tx)
    },
  }
}

function accountsOf({ sessions, config }: AdministrationParts): Administration['accounts'] {
  const publicUrl = config.PUBLIC_URL
  const basePath = basePathOf(config)
  return {
    find: accounts.findAccountId,
    emailOf: accounts.emailOf,
    insert: accounts.insertAccount,
    hashPassword,
    hasPasswords: config.PASSWORD_SIGN_IN === 'on',
    async signedIn(request) {
      const account = await sessions.accountOf(request)
      if (account) assertSameOrigin(request, publicUrl)
      return account?.accountId
    },
    addressOf({ url }) {
      // A client's Host header can make the address as a whole unreadable.
      const address = publicUrl ?? (URL.canParse(url) ? url : 'http://localhost')
      return `${new URL(address).origin}${basePath}`
    },
  }
}
