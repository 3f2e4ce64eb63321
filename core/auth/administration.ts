import type { Tx } from '../db/database.ts'
import { definePort } from '../ports.ts'
import type { Authenticator, CallerCache } from './authenticate.ts'
import type * as accounts from './control/accounts.ts'
import type * as keys from './control/keys.ts'
import type * as members from './control/members.ts'
import type * as ends from './control/workspace-ends.ts'
import type * as workspaces from './control/workspaces.ts'
import type { TenantGate } from './directory.ts'

/**
 * Administers accounts' workspaces and API keys, which are rows of no workspace. A plugin gets this port only if its
 * manifest lists it in `uses`. Functions with a `tx` work in a transaction of `database.system`.
 */
export interface Administration {
  readonly workspaces: {
    readonly get: typeof workspaces.getWorkspace
    readonly find: typeof workspaces.findWorkspaces
    readonly list: typeof workspaces.listWorkspaces
    readonly insert: typeof workspaces.insertWorkspace
    readonly update: typeof workspaces.updateWorkspace
    readonly close: typeof workspaces.closeWorkspace
  }
  /** Ends workspaces. */
  readonly ends: {
    readonly ids: typeof ends.endedWorkspaceIds
    readonly findForgotten: typeof ends.findForgotten
    readonly rememberErasers: typeof ends.rememberErasers
    readonly remove: typeof ends.removeEnded
    readonly pending: typeof ends.pendingEnds
    readonly acknowledge: typeof ends.acknowledgeEnd
    /** Stands for {@link eraseRows} among the erasers. */
    readonly rowsEraser: typeof ends.ROWS_ERASER
    /** Removes the rows that an ended workspace has in tenant tables, in short transactions. @returns how many there were */
    eraseRows(workspaceId: string, signal: AbortSignal): Promise<number>
    /** Lists ids with rows in tenant tables that belong to no workspace, at most `limit`. */
    findOrphans(limit: number, signal: AbortSignal): Promise<string[]>
  }
  readonly keys: {
    readonly get: typeof keys.getKey
    readonly lock: typeof keys.lockKey
    readonly list: typeof keys.listKeys
    readonly insert: typeof keys.insertKey
    readonly update: typeof keys.updateKey
    readonly rotate: typeof keys.rotateKey
    readonly revoke: typeof keys.revokeKey
    readonly grantWorkspace: typeof keys.grantWorkspace
  }
  readonly members: {
    readonly list: typeof members.listMembers
    readonly put: typeof members.putMember
    readonly changeRole: typeof members.changeRole
    readonly remove: typeof members.removeMember
    readonly invite: typeof members.invite
    readonly lockInvitation: typeof members.lockInvitation
  }
  readonly accounts: {
    readonly find: typeof accounts.findAccountId
    readonly emailOf: typeof accounts.emailOf
    readonly insert: typeof accounts.insertAccount
    hashPassword(password: string): Promise<string>
    /** False where accounts sign in by OpenID Connect alone. */
    readonly hasPasswords: boolean
    /** Returns the id of the account whose session a request carries. Throws FORBIDDEN for one from elsewhere. */
    signedIn(request: Request): Promise<string | undefined>
    /** The address at which people reach the service, without a slash at its end. */
    addressOf(request: Request): string
  }
  /** Tokens of applications that accounts have consented to. */
  readonly accessTokens: Pick<Authenticator, 'recognise'> & {
    /** Keys of HMAC-SHA-256 in hex: the one that signs first, then former ones. */
    readonly keys: readonly string[]
  }
  /** Forgets what this process caches of callers and workspaces, for use after a change. */
  readonly remembered: CallerCache & Pick<TenantGate, 'forgetWorkspaces'>
  /** Removes grants of workspaces that no longer exist, and tokens that have expired. */
  sweep(tx: Tx): Promise<void>
}

/** The kernel binds this port, and only plugins that list it in `uses` get it. */
export const administration = definePort<Administration>('core.administration')
