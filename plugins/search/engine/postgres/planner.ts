import type { Database, Tx } from 'mneme/plugin'

/** Planner settings by name. */
type PlannerSettings = Readonly<Record<string, string | number>>

/**
 * Plans are generic, because planning takes longer than many searches. A generic plan expects few rows per term and might scan the
 * documents of all workspaces, so sequential scans are disabled.
 */
export const GENERIC_PLAN: PlannerSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
}

/** A distributed Postgres finds the node by a parameter, so it has no generic plans. All databases of a process are of one kind. */
let isDistributed = false

/** Reads whether plans may be generic; it is called before the first search. */
export async function readPlanKind(database: Database): Promise<void> {
  const found = await database.system(tx => tx`select from pg_extension where pg_extension.extname = 'citus'`)
  isDistributed = found.length > 0
}

const USUAL: PlannerSettings = {}

/** The settings that several statements of a transaction share. */
const kept = new WeakMap<Tx, PlannerSettings>()

/**
 * Plans all statements of some work generically: those of a search find all rows through indexes. The settings end with the work, which calls
 * other plugins by {@link withUsualPlans} alone. Each command is sent with the next statement and costs no round trip.
 */
export async function withGenericPlans<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  sendAlong(tx, commands(Object.entries(GENERIC_PLAN)))
  kept.set(tx, GENERIC_PLAN)
  try {
    return await work()
  } finally {
    kept.delete(tx)
    sendAlong(tx, reset(Object.keys(GENERIC_PLAN)))
  }
}

/** Runs work of other plugins in the midst of that: its statements are planned as in any other transaction. */
export async function withUsualPlans<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  const settings = kept.get(tx)
  if (!settings) return work()
  kept.set(tx, USUAL)
  sendAlong(tx, reset(Object.keys(settings)))
  try {
    return await work()
  } finally {
    // The work around it may have failed and ended meanwhile.
    if (kept.get(tx) === USUAL) {
      kept.set(tx, settings)
      sendAlong(tx, commands(Object.entries(settings)))
    }
  }
}

/** The next statement fails where this one did. */
function sendAlong(tx: Tx, sent: string): void {
  tx.unsafe(sent)
    .execute()
    .catch(() => undefined)
}

/**
 * Runs one statement under planner settings that end with it, so that later statements of the transaction are planned as before. The three
 * are sent together and cost one round trip; settings that the work around it shares are not repeated.
 *
 * @param statement a query that was not sent yet
 */
export async function underSettings<T>(tx: Tx, settings: PlannerSettings, statement: PromiseLike<T>): Promise<T> {
  const changed = Object.entries(settings).filter(([name, value]) => kept.get(tx)?.[name] !== value)
  if (changed.length === 0) return statement
  const [, result] = await Promise.all([
    tx.unsafe(commands(changed)),
    statement,
    tx.unsafe(reset(changed.map(([name]) => name))),
  ])
  return result
}

function reset(names: readonly string[]): string {
  return commands(names.map(name => [name, 'default']))
}

function commands(settings: readonly (readonly [name: string, value: string | number])[]): string {
  const possible = settings.filter(([name]) => !isDistributed || name !== 'plan_cache_mode')
  return possible.map(([name, value]) => `set local ${name} = ${value}`).join(';')
}
