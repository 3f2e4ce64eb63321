import type { Static, TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { EventOfSchema, StoredEvent, Subscription } from './events.ts'

/** A subscription to one kind, whose `handle` gets data as the kind's schema types it. */
export interface SubscriptionDefinition<S, D extends TSchema> extends Omit<Subscription<S>, 'event' | 'handle'> {
  readonly event: EventOfSchema<D>
  handle(event: StoredEvent<Static<D>>, scope: S): Promise<void>
}

/** The erasure of a person takes the id and all texts off events that wait, and leaves nobody to do anything for. */
function isOfErased({ userId }: StoredEvent, faults: Iterable<{ readonly value: unknown }>): boolean {
  return userId === null && Array.from(faults).every(({ value }) => value === null)
}

/**
 * Makes a builder of subscriptions whose `handle` sees `S` as its scope. Data is checked when it is delivered, because it may have been
 * published by another version: what does not fit is a failed delivery, tried again like any, and never reaches `handle`.
 */
export function subscriptionsOf<S>() {
  return <D extends TSchema>({ event, handle, ...rest }: SubscriptionDefinition<S, D>): Subscription<S> => {
    const { kind, schema } = event
    // A newer version may tell more of an event, which an older one that runs beside it need not know.
    const check = TypeCompiler.Compile<D>({ ...schema, additionalProperties: true })
    return {
      ...rest,
      event: kind,
      async handle(stored, scope) {
        const { data } = stored
        if (check.Check(data)) return handle({ ...stored, data }, scope)
        if (isOfErased(stored, check.Errors(data))) return
        throw new Error(`the data of an event ${kind} does not fit its schema`)
      },
    }
  }
}
