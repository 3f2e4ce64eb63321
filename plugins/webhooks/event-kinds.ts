import { type EventKind, validationError } from 'mneme/plugin'
import { bodyOf, dataOf } from './recording/payload.ts'
import { ALL_EVENTS } from './recording/record-events.ts'

/** Examples show this as a memory's text. */
const TEXT = 'Ada prefers tea.'
const EXAMPLE_AT = new Date('2026-06-01T08:15:00.000Z')

/** Removes repetitions. @throws VALIDATION_ERROR that names each kind which is none, or is told to nobody outside */
export function subscribable(events: readonly string[], kinds: readonly EventKind[]): string[] {
  const known = new Set([ALL_EVENTS, ...kinds.filter(kind => kind.public).map(({ kind }) => kind)])
  const faults = events.flatMap((event, n) =>
    known.has(event) ? [] : [{ path: `events.${n}`, message: 'is not a kind that GET /v1/webhooks/events lists' }],
  )
  if (faults.length > 0) throw validationError(faults)
  return [...new Set(events)]
}

/** The kinds that webhooks can have at the moment, of all plugins, each with a body as receivers get it. */
export function listedKinds(kinds: readonly EventKind[]) {
  return kinds
    .filter(kind => kind.public && kind.enabled)
    .map(({ kind, label, description, example = {} }) => ({
      event: kind,
      label,
      description,
      example: JSON.parse(bodyOf(kind, dataOf({ kind, data: example }, { text: TEXT }), EXAMPLE_AT)),
    }))
}
