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

/** The settings that transactions keep to their end. */
const kept = new WeakMap<Tx, PlannerSettings>()

/**
 * Plans the remaining statements of a transaction generically: those of a search find all rows through indexes. The command is sent with
 * the next statement, which fails with it.
 */
export function keepGenericPlans(tx: Tx): void {
  tx.unsafe(commands(Object.entries(GENERIC_PLAN)))
    .execute()
    .catch(() => undefined)
  kept.set(tx, GENERIC_PLAN)
}

/**
 * Runs one statement under planner settings that end with it, so that later statements of the transaction are planned as before. The three
 * are sent together and cost one round trip; settings that the transaction keeps are not repeated.
 *
 * @param statement a query that was not sent yet
 */
export async function underSettings<T>(tx: Tx, settings: PlannerSettings, statement: PromiseLike<T>): Promise<T> {
  const changed = Object.entries(settings).filter(([name, value]) => kept.get(tx)?.[name] !== value)
  if (changed.length === 0) return statement
  const [, result] = await Promise.all([
    tx.unsafe(commands(changed)),
    statement,
    tx.unsafe(commands(changed.map(([name]) => [name, 'default']))),
  ])
  return result
}

function commands(settings: readonly (readonly [name: string, value: string | number])[]): string {
  return settings.map(([name, value]) => `set local ${name} = ${value}`).join(';')
}
