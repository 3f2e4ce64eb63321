import { Type } from '@sinclair/typebox'
import type { EventDefinition, EventRecorder, Subscription } from '../../events/events.ts'
import { anything, expected, flag, matching, method, objectOf, optional, schema, sentence } from './fields.ts'

export const event = objectOf<EventDefinition>({
  kind: matching('^[a-z][a-zA-Z0-9_]*(\\.[a-z][a-zA-Z0-9_]*)+$', 'a name of the form noun.pastTense'),
  label: optional(Type.String(expected('a text'))),
  description: Type.String(expected('a text')),
  public: flag(),
  example: optional(anything()),
  schema: optional(schema()),
})

const kinds = () =>
  Type.Union(
    [Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })],
    expected("a kind, a list of at least one, or '*' for all public events"),
  )

export const subscription = objectOf<Subscription>({
  event: kinds(),
  name: sentence('a name'),
  gated: optional(flag()),
  erases: optional(flag()),
  handle: method('that reacts to an event'),
})

export const recorder = objectOf<EventRecorder>({
  event: kinds(),
  name: sentence('a name'),
  gated: optional(flag()),
  record: method('that stores what it needs of events'),
})
