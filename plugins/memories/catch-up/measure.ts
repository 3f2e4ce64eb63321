import { type Database, isUnavailable } from 'mneme/plugin'
import { Gauge, type Registry } from 'prom-client'

const STATES = ['running', 'seen', 'made', 'dropped', 'failed'] as const

/** Exposes the progress of each backfill as a gauge. */
export function measureCatchUp(registry: Registry, database: Database): void {
  new Gauge({
    name: 'mneme_catch_up_memories',
    help:
      'Memories of the last pass for a part that they may lack: seen, made, dropped (what was left of memories that are gone) and ' +
      'failed; running is 1 while it goes on.',
    labelNames: ['part', 'state'],
    registers: [registry],
    async collect() {
      for (const row of await readParts(database)) {
        for (const state of STATES) this.labels(row.part, state).set(Number(row[state]))
      }
    },
  })
}

type PartRow = Readonly<Record<'part' | (typeof STATES)[number], string>>

/** Returns nothing while the database is away, so that the other metrics still reach whoever investigates. */
async function readParts(database: Database): Promise<readonly PartRow[]> {
  try {
    return await database.system(
      tx => tx<PartRow[]>`
        select
          part.id as part, (part.began_at is not null)::integer::text as running, part.seen::text, part.made::text,
          part.dropped::text, part.failed::text
        from memories.part`,
    )
  } catch (error) {
    if (isUnavailable(error)) return []
    throw error
  }
}
