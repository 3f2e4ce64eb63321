import type { ErrorDetail, EventKind, RouteCheck } from 'mneme/plugin'
import { bodyOf, dataOf } from './recording/payload.ts'
import { ALL_EVENTS } from './recording/record-events.ts'
import type { WebhooksScope } from './scope.ts'

/** Examples show this as a memory's text. */
const TEXT = 'Ada prefers tea.'
const EXAMPLE_AT = new Date('2026-06-01T08:15:00.000Z')

/** Webhooks subscribe to kinds that there are, and that are told to somebody outside. */
export const eventChecks: readonly RouteCheck<WebhooksScope, unknown, { readonly events?: readonly string[] }>[] = [
  { fields: ['events'], faults: ({ body: { events = [] }, scope }) => unknownKinds(events, scope.events.kinds) },
]

function unknownKinds(events: readonly string[], kinds: readonly EventKind[]): ErrorDetail[] {
  const known = new Set([ALL_EVENTS, ...kinds.filter(kind => kind.public).map(({ kind }) => kind)])
  return events.flatMap((event, n) =>
    known.has(event) ? [] : [{ path: `events.${n}`, message: 'is not a kind that GET /v1/webhooks/events lists' }],
  )
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
