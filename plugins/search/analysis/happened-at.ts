import { instantOf } from './dates.ts'

/** Metadata commonly stores the time of an event under these names, the most specific first. */
const NAMES = [
  'happened_at',
  'occurred_at',
  'event_time',
  'event_date',
  'sent_at',
  'spoken_at',
  'said_at',
  'date',
  'datetime',
  'date_time',
  'timestamp',
  'time',
  'created_at',
  'when',
]

/** Reads from metadata when the reported event happened; null if it does not say. */
export function happenedAt(metadata: Readonly<Record<string, unknown>> | null): Date | null {
  if (!metadata) return null
  const named = new Map(Object.entries(metadata).map(([name, value]) => [snakeCase(name), value]))
  for (const name of NAMES) {
    const instant = named.has(name) ? instantOf(named.get(name)) : null
    if (instant) return instant
  }
  return null
}

function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()
}
