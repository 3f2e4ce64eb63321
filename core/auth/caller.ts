import type { TransactionOptions, Tx } from '../db/database.ts'

/** Who sent a request. A session stands in for a key with every permission on the account's workspaces. */
export interface Caller {
  readonly kind: 'key' | 'session' | 'anonymous'
  /** Stable identity for rate limits and idempotency: the key's id, or `session:<account id>`. */
  readonly id: string
  readonly accountId: string
  /** `live` works on the workspaces themselves, `test` on their twins. */
  readonly mode: 'live' | 'test'
  readonly permissions: ReadonlySet<string> | 'all'
  /** The workspace requests act on unless they name another. */
  readonly workspaceId: string
  /**
   * Live workspaces a key may use, its own included. Absent: only its own. A session may use every workspace of its
   * account and has none listed.
   */
  readonly grantedWorkspaceIds?: ReadonlySet<string>
}

/** The most that a plan allows, by the quota's name; null is unlimited. */
export type QuotaLimits = Readonly<Record<string, number | null>>

/** The settings of a workspace as they are stored: only what is set. Read one with `of` of the setting itself. */
export type StoredSettings = Readonly<Record<string, unknown>>

/** A workspace as plugins see it. */
export interface Workspace {
  readonly id: string
  readonly name: string
  readonly accountId: string
  readonly plan: string
  /** What its plan includes; ask `hasFeature`. */
  readonly features: ReadonlySet<string>
  readonly quotas: QuotaLimits
  readonly settings: StoredSettings
  /** The live workspace this one is the test twin of, or null. */
  readonly twinOf: string | null
}

/** A workspace together with the only way to its rows on the request path. */
export interface Tenant {
  readonly workspaceId: string
  readonly workspace: Workspace
  /** One transaction under the role that row-level security binds to this workspace. Throw to roll back. */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>
}
