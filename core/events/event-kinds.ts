import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { AnyPlugin } from '../plugin.ts'
import { type EventKind, kindsNamed, type NewEvent, PUBLIC_EVENTS, type Subscription } from './events.ts'

/** Lists every kind of event that the plugins declare, ordered by name. */
export function eventKinds(loaded: readonly AnyPlugin[], disabled: readonly AnyPlugin[]): readonly EventKind[] {
  const of = (plugins: readonly AnyPlugin[], enabled: boolean): EventKind[] =>
    plugins.flatMap(({ id, emits = [] }) =>
      emits.map(event => ({ ...event, label: event.label ?? event.kind, owner: id, enabled })),
    )
  return [...of(loaded, true), ...of(disabled, false)].sort((a, b) => (a.kind < b.kind ? -1 : 1))
}

/** Tells whether events of the kind go to the subscription. */
export function receives(subscription: Pick<Subscription, 'event'>, kind: EventKind): boolean {
  return subscription.event === PUBLIC_EVENTS ? kind.public : kindsNamed(subscription).includes(kind.kind)
}

/**
 * Throws where an event's data does not fit the schema that its kind declares; the message holds paths and no values.
 */
export function createDataCheck(kinds: readonly EventKind[]): (event: NewEvent) => void {
  const checks = new Map(kinds.flatMap(({ kind, schema }) => (schema ? [[kind, TypeCompiler.Compile(schema)]] : [])))
  return ({ kind, data }) => {
    const check = checks.get(kind)
    if (!check || check.Check(data)) return
    const faults = [...check.Errors(data)].slice(0, 5).map(({ path, message }) => `${path || '/'}: ${message}`)
    throw new Error(`the data of an event ${kind} does not fit its schema: ${faults.join('; ')}`)
  }
}
