import { instantOf } from './dates.ts'

/** Names under which metadata commonly says when something happened, the most telling first. */
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

/** When what a memory tells happened or was said, by its metadata; null when that does not say. */
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
