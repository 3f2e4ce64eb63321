import type { Database } from '../db/database.ts'
import { retireFormerKeys } from '../secrets/key-registry.ts'
import type { KeyRing } from '../secrets/key-ring.ts'
import { type ResealOptions, type ResealResult, reseal } from '../secrets/reseal.ts'
import { findForeignSealed, lookUpSealedColumns } from '../secrets/sealed-columns.ts'
import { ManifestError } from './check.ts'
import { type PluginSelection, schemaOf } from './select.ts'

/** Throws a ManifestError where the tables of plugins differ from their `sealed`; to be called after migrations. */
export async function checkSealedColumns(database: Database, selection: PluginSelection): Promise<void> {
  const declaring = selection.loaded.filter(({ sealed = [] }) => sealed.length > 0)
  if (declaring.length === 0) return
  const { faults } = await database.system(tx =>
    lookUpSealedColumns(tx, declaring, plugin => schemaOf(plugin, selection)),
  )
  if (faults.length > 0) throw new ManifestError(faults)
}

export interface ResealAllResult extends ResealResult {
  /**
   * Lists columns of plugins that were loaded once and are not now, with values under a former key: they stay as they
   * are.
   */
  readonly unreached: readonly string[]
  /** Lists ids of the keys that no value needs any more. They are retired only when nothing is left under them. */
  readonly retired: readonly string[]
}

/**
 * Seals the values of all plugins again under the current key, those that are switched off included, and retires the
 * former keys when nothing is left that may need them.
 */
export async function resealAll(
  database: Database,
  selection: PluginSelection,
  ring: KeyRing,
  options: Pick<ResealOptions, 'signal' | 'batch' | 'progress'>,
): Promise<ResealAllResult> {
  const all = [...selection.loaded, ...selection.disabled]
  const schemas = all.map(plugin => schemaOf(plugin, selection))
  const { places, unreached } = await database.system(async tx => {
    // A plugin that is switched off may never have made its tables, and absent ones need no sealing.
    const found = await lookUpSealedColumns(tx, all, plugin => schemaOf(plugin, selection))
    const owners = await tx<{ owner: string }[]>`select distinct applied.owner from core.migration as applied`
    const unknown = owners.map(({ owner }) => owner).filter(owner => owner !== 'core' && !schemas.includes(owner))
    return { places: found.places, unreached: await findForeignSealed(tx, unknown, ring) }
  })
  const result = await reseal({ ...options, database, ring, places })
  const done = result.complete && result.unopened.length === 0 && unreached.length === 0
  return { ...result, unreached, retired: done ? await retireFormerKeys(database, ring) : [] }
}
