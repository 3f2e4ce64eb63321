import type { Tx } from 'mneme/plugin'

/** Planner settings by name. */
type PlannerSettings = Readonly<Record<string, string | number>>

/**
 * Plans are generic, because planning takes longer than many searches. A generic plan expects few rows per term and might scan the
 * documents of all workspaces, so sequential scans are disabled. Compiling a plan pays only for far longer queries, so JIT is off.
 */
export const GENERIC_PLAN: PlannerSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
}

/**
 * Runs one statement under planner settings that end with it, so that later statements of the transaction are planned as usual. The three
 * are sent together and cost one round trip.
 *
 * @param statement a query that was not sent yet
 */
export async function underSettings<T>(tx: Tx, settings: PlannerSettings, statement: PromiseLike<T>): Promise<T> {
  const entries = Object.entries(settings)
  const [, result] = await Promise.all([
    tx.unsafe(entries.map(([name, value]) => `set local ${name} = ${value}`).join(';')),
    statement,
    tx.unsafe(entries.map(([name]) => `set local ${name} to default`).join(';')),
  ])
  return result
}
