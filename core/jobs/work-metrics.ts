import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from '../db/database.ts'
import { wholeRegistry } from '../metrics.ts'

/** `lost`: the claim lapsed and another process took it. */
export type WorkOutcome = 'claimed' | 'finished' | 'released' | 'postponed' | 'given_up' | 'lost'

export interface WorkMetrics {
  counted(outcome: WorkOutcome, items: number): void
}

const STATES = ['due', 'later', 'claimed'] as const

/** The gauge looks at so many queued items. */
const COUNTED_MAX = 10_000
/** The gauge's figures may be so old. */
const FRESH_MS = 10_000

const registered = new WeakMap<Registry, Map<string, Database>>()

/**
 * Counts the outcomes of a work table's items, and shows how many are queued; each table is a value of the label
 * `work`.
 */
export function measureWork(
  { registry: given, database }: { registry: Registry; database: Database },
  table: string,
): WorkMetrics {
  // Each plugin has a registry of its own, and all of them add to one metric.
  const registry = wholeRegistry(given)
  const tables = registered.get(registry) ?? register(registry)
  tables.set(table, database)
  const counter = registry.getSingleMetric('mneme_work_items_total')
  return {
    counted(outcome, items) {
      if (items > 0 && counter instanceof Counter) counter.labels(table, outcome).inc(items)
    },
  }
}

function register(registry: Registry): Map<string, Database> {
  const tables = new Map<string, Database>()
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
    help: `Items of work tables in the database: due now, due later, or claimed. Of each table up to ${COUNTED_MAX} are counted.`,
    labelNames: ['work', 'state'],
    registers: [registry],
    async collect() {
      if (performance.now() - countedAt < FRESH_MS) return
      countedAt = performance.now()
      for (const [table, database] of tables) {
        const counts = await countQueued(database, table).catch(() => undefined)
        // With the database away this figure is unknown, and the others are wanted all the more.
        if (!counts) this.reset()
        else for (const state of STATES) this.labels(table, state).set(counts[state])
      }
    },
  })
  return tables
}

async function countQueued(
  database: Database,
  table: string,
): Promise<Record<(typeof STATES)[number], number> | undefined> {
  const [row] = await database.system(
    tx => tx<Record<(typeof STATES)[number], number>[]>`
      select
        count(*) filter (where queued.due_at <= now()) as due,
        count(*) filter (where queued.due_at > now() and queued.lease is null) as later,
        count(*) filter (where queued.due_at > now() and queued.lease is not null) as claimed
      from (select item.due_at, item.lease from ${tx(table)} as item where item.due_at is not null limit ${COUNTED_MAX}) as queued`,
  )
  return row
}
