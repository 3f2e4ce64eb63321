import type { WorkspaceSetting } from '../auth/settings.ts'
import type { Tx } from '../db/database.ts'
import { DAY_MS } from '../durations.ts'

/**
 * Says how long rows of a table are kept. A plugin lists it in its manifest, and the kernel removes older rows every
 * hour, in short transactions, workspace by workspace: where one of them fails, the others go on. `S` is the plugin's
 * scope. At least one of `keepMs`, `environment` and `workspaceSetting` is given; the shortest that holds for a
 * workspace counts.
 */
export interface Retention<S = never> {
  /** `<schema>.<table>` in the plugin's own schema: a tenant table, with an index on `workspace_id` and the column. */
  readonly table: string
  /** A row's time counts from this column: of type timestamptz, or of UUIDs of version 7, which carry their time. */
  readonly column: string
  /** `timestamptz` when left out. */
  readonly columnType?: 'timestamptz' | 'uuidv7'
  /** Milliseconds that a row is kept, unless `environment` says otherwise. */
  readonly keepMs?: number
  /** Names a setting of the plugin's `config`, a number of days, that stands in for `keepMs`. */
  readonly environment?: string
  /** Names a setting of workspaces, a number of days: their rows are kept no longer than that. */
  readonly workspaceSetting?: WorkspaceSetting<number | null>
  /**
   * Adds a condition in SQL on an expired row, which is called `item`; `:before` stands for the time before which rows
   * expire. Fixed text: nothing of a request may come in here.
   */
  readonly where?: string
  /** Removes rows where a plain delete is not enough. */
  readonly removal?: Removal<S>
}

/** Removes rows as the plugin itself does, e.g. because other plugins have to know. */
export interface Removal<S> {
  /** Names a column that, within a workspace, identifies rows. */
  readonly key: string
  /** One call gets at most so many rows; 500. */
  readonly batchMax?: number
  /**
   * Called in a transaction of the workspace that has locked the rows with these keys. Where it fails for several, it
   * is called for each of them alone, so that a row it cannot remove keeps no other.
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

/** A retention with its plugin, that plugin's scope and the time its settings give, types erased. */
export interface MountedRetention {
  readonly owner: string
  readonly retention: Retention
  readonly scope: unknown
  /** The time that `keepMs` and `environment` come to; undefined where only a setting of the workspace gives one. */
  readonly keepMs: number | undefined
}

/** The tasks that remove old rows begin with it. */
export const RETENTION_PREFIX = 'core:retain:'

/** Identifies a retention by its table and column; also names its job's key. */
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
