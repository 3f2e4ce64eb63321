import type { TransactionOptions, Tx } from '../db/database.ts'

/** Accounts have one of these in a workspace: the roles that may do least come first. */
export const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]
/** A bound key reads and writes only what is of this user. */
export interface Subject {
  readonly userId: string
  /** Given, only those of this agent. */
  readonly agentId?: string | undefined
}

/**
 * Identifies the sender of a request. A session stands in for a key: with every permission on the account's workspaces, and those of its
 * role on workspaces that the account is a member of.
 */
export interface Caller {
  readonly kind: 'key' | 'session' | 'anonymous'
  /** Identifies the caller for rate limits and idempotency: the key's id, or `session:<account id>`. */
  readonly id: string
  readonly accountId: string
  /** `live` works on the workspaces themselves, `test` on their twins. */
  readonly mode: 'live' | 'test'
  readonly permissions: ReadonlySet<string> | 'all'
  /** Requests act on this workspace unless they name another. */
  readonly workspaceId: string
  /**
   * A key may use these live workspaces, its own included; absent, only its own. A session may use every workspace of
   * its account and lists none.
   */
  readonly grantedWorkspaceIds?: ReadonlySet<string>
  /** The roles of the account of a session, or of an access token, in live workspaces of other accounts. */
  readonly roles?: ReadonlyMap<string, Role>
  /** The role of that account in the workspace of the request. */
  readonly role?: Role
  /** The caller's key is bound to this user. Routes say how they hold to it, and one that does not say refuses the caller. */
  readonly subject?: Subject | undefined
}

/** Maps a quota's name to the most that a plan allows; null is unlimited. */
export type QuotaLimits = Readonly<Record<string, number | null>>

/** Holds a workspace's settings as they are stored: only those that are set. Read one with the setting's own `of`. */
export type StoredSettings = Readonly<Record<string, unknown>>

/** A workspace as plugins see it. */
export interface Workspace {
  readonly id: string
  readonly name: string
  readonly accountId: string
  readonly plan: string
  /** The plan of the account's first workspace, which decides what the account may have. */
  readonly accountPlan: string
  /** The plan includes these features; ask `hasFeature`. */
  readonly features: ReadonlySet<string>
  readonly quotas: QuotaLimits
  readonly settings: StoredSettings
  /** The live workspace that this one is the test twin of, or null. */
  readonly twinOf: string | null
}

/** A workspace together with the only way to its rows on the request path. */
export interface Tenant {
  readonly workspaceId: string
  readonly workspace: Workspace
  /** A person looks by the console, which is no use of what the workspace holds: it belongs in no figure and no log of use. */
  readonly isObserver?: boolean
  /** A request comes from a caller that is bound to this user; never set in background work. */
  readonly subject?: Subject | undefined
  /** Runs one transaction under the role that row-level security binds to this workspace. Throw to roll back. */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>
}

/** An account has let an application do this. */
export interface Consent {
  /** Identifies the application to rate limits and in events. */
  readonly id: string
  /** The account that consented, whose role in the workspace bounds what the application may do. */
  readonly accountId: string
  /** A live workspace. */
  readonly workspaceId: string
  readonly permissions: readonly string[]
  readonly subject: Subject | null
}

/** Finds the consent that an access token is of; undefined for a token that is no good, or not for what this request is sent to. */
export type FindConsent = (token: string, request: Request) => Promise<Consent | undefined>

/** Access tokens begin so; no key does. */
export const ACCESS_TOKEN_PREFIX = 'mn_access_'
