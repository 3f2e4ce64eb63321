import type { WorkspaceSetting } from '../auth/settings.ts'
import type { Tx } from '../db/database.ts'

/**
 * How long rows of a table are kept. A plugin lists it in its manifest, and the kernel removes what is older, every hour, in
 * short transactions, workspace by workspace: where one of them fails, the others go on. `S` is the plugin's scope.
 *
 * One of `keepMs`, `environment` and `workspaceSetting` is given at least; of what holds for a workspace the shortest counts.
 */
export interface Retention<S = never> {
  /** `<schema>.<table>` in the plugin's own schema: a tenant table, with an index on `workspace_id` and the column. */
  readonly table: string
  /** From when on a row's time counts: a column of type timestamptz, or one of UUIDs of version 7, which carry their time. */
  readonly column: string
  /** `timestamptz` when left out. */
  readonly columnType?: 'timestamptz' | 'uuidv7'
  /** Milliseconds that a row is kept, unless `environment` says otherwise. */
  readonly keepMs?: number
  /** A setting of the plugin's `config`, a number of days, that stands in for `keepMs`. */
  readonly environment?: string
  /** A setting of workspaces, a number of days: theirs are kept no longer than that. */
  readonly workspaceSetting?: WorkspaceSetting<number | null>
  /**
   * A further condition in SQL on a row that goes, which is called `item`; `:before` stands for the time that it is older than.
   * Fixed text: nothing of a request may come in here.
   */
  readonly where?: string
  /** How rows go where a plain delete is not enough. */
  readonly removal?: Removal<S>
}

/** Removes rows as the plugin itself does, e.g. because others have to hear of it. */
export interface Removal<S> {
  /** A column that, within a workspace, tells rows apart. */
  readonly key: string
  /** Most rows of one call; 500. */
  readonly batchMax?: number
  /**
   * Called in a transaction of the workspace that has locked the rows with these keys. Where it fails for several, it is called for each
   * of them alone, so that a row it cannot remove keeps no other.
   */
  run(input: RemovalInput<S>): Promise<void>
}

export interface RemovalInput<S> {
  readonly tx: Tx
  readonly workspaceId: string
  /** As text. */
  readonly keys: readonly string[]
  readonly scope: S
}

/** A retention with its plugin, that plugin's scope and what its settings say, types erased. */
export interface MountedRetention {
  readonly owner: string
  readonly retention: Retention
  readonly scope: unknown
  /** What `keepMs` and `environment` come to; undefined where only a setting of the workspace says how long. */
  readonly keepMs: number | undefined
}

export const DAY_MS = 86_400_000

/** A retention by its table and column; also the name of its job's key. */
export function nameOf({ table, column }: Pick<Retention, 'table' | 'column'>): string {
  return `${table}.${column}`
}

/** @param config the plugin's settings as they were read */
export function mountRetention(
  owner: { readonly id: string; readonly scope: unknown },
  retention: Retention,
  config: unknown,
): MountedRetention {
  const { keepMs, environment } = retention
  const days: unknown = environment === undefined ? undefined : Reflect.get(Object(config), environment)
  const own = typeof days === 'number' ? days * DAY_MS : keepMs
  return { owner: owner.id, retention, scope: owner.scope, keepMs: own }
}
