import type { Tx } from '../db/database.ts'

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

/** A month's allowances of a plan; null is unlimited. */
export interface Quotas {
  readonly memories: number | null
  readonly requests: number | null
  readonly tokens: number | null
  readonly webhooks: number | null
}

/** Settings a workspace's owner may change; absent keys have their default. */
export interface WorkspaceSettings {
  readonly targets: { readonly memories?: number; readonly requests?: number; readonly search_quality?: number }
  readonly consolidation: boolean
  readonly task_ttl_days: number | null
  readonly language: string | null
  readonly daily_model_tokens: number | null
  readonly retention_days: number | null
}

/** A workspace as plugins see it. */
export interface Workspace {
  readonly id: string
  readonly name: string
  readonly accountId: string
  readonly plan: string
  readonly features: ReadonlySet<string>
  readonly quotas: Quotas
  readonly settings: WorkspaceSettings
  /** The live workspace this one is the test twin of, or null. */
  readonly twinOf: string | null
}

/** A workspace together with the only way to its rows on the request path. */
export interface Tenant {
  readonly workspaceId: string
  readonly workspace: Workspace
  /** One transaction under the role that row-level security binds to this workspace. Throw to roll back. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}
