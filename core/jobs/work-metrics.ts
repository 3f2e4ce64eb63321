import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database, Fragment } from '../db/database.ts'
import { wholeRegistry } from '../metrics.ts'

/** `lost`: the claim lapsed and another process took it. */
export type WorkOutcome = 'claimed' | 'finished' | 'released' | 'postponed' | 'given_up' | 'lost'

export interface WorkMetrics {
  counted(outcome: WorkOutcome, items: number): void
}

const STATES = ['due', 'later', 'claimed'] as const

/** The gauge counts so many items of each state, so that many of one do not hide those of another. */
const COUNTED_MAX = 10_000
/** The gauge's figures may be so old. */
const FRESH_MS = 10_000

type Counts = Record<(typeof STATES)[number], number>

/** The tables of a registry, each with what counts its items. */
type CountedTables = Map<string, () => Promise<Counts | undefined>>

const registered = new WeakMap<Registry, CountedTables>()

/**
 * Counts the outcomes of a work table's items, and shows how many are queued; each table is a value of the label
 * `work`.
 */
export function measureWork(
  { registry: given, database }: { registry: Registry; database: Database },
  table: string,
  countedMax = COUNTED_MAX,
): WorkMetrics {
  // Each plugin has a registry of its own, and all of them add to one metric.
  const registry = wholeRegistry(given)
  const tables = registered.get(registry) ?? register(registry)
  tables.set(table, () => countQueued(database, table, countedMax))
  const counter = registry.getSingleMetric('mneme_work_items_total')
  return {
    counted(outcome, items) {
      if (items > 0 && counter instanceof Counter) counter.labels(table, outcome).inc(items)
    },
  }
}

function register(registry: Registry): CountedTables {
  const tables: CountedTables = new Map()
  registered.set(registry, tables)
  new Counter({
    name: 'mneme_work_items_total',
    help: 'Items of work tables by what became of them in this process.',
    labelNames: ['work', 'outcome'],
    registers: [registry],
  })
  let countedAt = Number.NEGATIVE_INFINITY
  new Gauge({
    name: 'mneme_work_items_queued',
    help: `Items of work tables in the database: due now, due later, or claimed. Of each table up to ${COUNTED_MAX} of a state are counted.`,
    labelNames: ['work', 'state'],
    registers: [registry],
    async collect() {
      if (performance.now() - countedAt < FRESH_MS) return
      countedAt = performance.now()
      for (const [table, count] of tables) {
        // Where it fails the figures of this table are unknown, and the others are wanted all the more.
        const counts = await count().catch(() => undefined)
        for (const state of STATES) {
          if (counts) this.labels(table, state).set(counts[state])
          else this.remove(table, state)
        }
      }
    },
  })
  return tables
}

/** The indexes of work tables have what is queued, however much is done; each state has a bound of its own. */
async function countQueued(database: Database, table: string, countedMax: number): Promise<Counts | undefined> {
  const [row] = await database.system(tx => {
    const count = (state: Fragment) =>
      tx`(select count(*) from (select item.workspace_id from ${tx(table)} as item where ${state} limit ${countedMax}) as queued)`
    return tx<Counts[]>`
      select
        ${count(tx`item.due_at <= now()`)} as due,
        ${count(tx`item.due_at > now() and item.lease is null`)} as later,
        ${count(tx`item.due_at > now() and item.lease is not null`)} as claimed`
  })
  return row
}
