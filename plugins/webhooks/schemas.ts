import { Type } from '@sinclair/typebox'
import { instant, oneOf, pageOf, pageParameters, text, uuid } from 'mneme/plugin'
import { STATUSES, TOTAL_MAX } from './queries/deliveries.ts'

const URL_MAX = 2000
const DESCRIPTION_MAX = 500
const EVENTS_MAX = 100
const KIND_MAX = 100

const url = text({
  minLength: 1,
  maxLength: URL_MAX,
  description: 'Where deliveries are sent to: http or https, at a public address, without a user name or password.',
  examples: ['https://example.com/hooks/mneme'],
})
const events = Type.Array(text({ minLength: 1, maxLength: KIND_MAX }), {
  minItems: 1,
  maxItems: EVENTS_MAX,
  description: 'Kinds of events as `GET /v1/webhooks/events` lists them, or `*` for all.',
})
const description = Type.Union([text({ maxLength: DESCRIPTION_MAX }), Type.Null()], {
  description: 'What it is for.',
  errorMessage: `must be a string of at most ${DESCRIPTION_MAX} characters, or null`,
})
const active = Type.Boolean({
  description:
    '`true` when omitted. `false` pauses the webhook: new events are not delivered, and waiting deliveries resume when it is active again, within 24 hours.',
})

export const createWebhookBody = Type.Object({
  url,
  events,
  description: Type.Optional(description),
  active: Type.Optional(active),
})

export const updateWebhookBody = Type.Object({
  url: Type.Optional(url),
  events: Type.Optional(events),
  description: Type.Optional(description),
  active: Type.Optional(active),
})

export const redeliverBody = Type.Object({
  since: instant({ description: 'Deliveries of events from this moment on that have failed.' }),
})

export const webhookParams = Type.Object({ id: uuid({ description: "The webhook's id." }) })
export const deliveryParams = Type.Object({
  id: uuid({ description: "The webhook's id." }),
  delivery_id: uuid({ description: "The delivery's id." }),
})

export const deliveriesQuery = Type.Object({
  status: Type.Optional(oneOf(STATUSES, { description: 'Only those in this state.' })),
  event: Type.Optional(text({ minLength: 1, maxLength: KIND_MAX, description: 'Only those of this kind of event.' })),
  ...pageParameters,
})

const id = (description: string) => Type.String({ format: 'uuid', description })
const string = (description: string) => Type.String({ description })
const time = (description: string) => Type.String({ format: 'date-time', description })
const integer = (description: string) => Type.Integer({ description })
const orNull = <S extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(schema: S) =>
  Type.Union([schema, Type.Null()], { description: schema.description ?? '' })

const webhookFields = {
  id: id("The webhook's id."),
  url: string('Where deliveries are sent to.'),
  events: Type.Array(Type.String(), { description: 'Kinds of events it gets; `*` stands for all.' }),
  description: orNull(string('What it is for.')),
  active: Type.Boolean({ description: 'False while it is paused.' }),
  workspace_id: id('The workspace it belongs to.'),
  failing_since: orNull(
    time(
      'Since when no attempt has succeeded; null while attempts succeed, and before the first one to its URL and since it was resumed.',
    ),
  ),
  last_success_at: orNull(time('When an attempt last succeeded, within a minute.')),
  previous_secret_until: orNull(
    time('Until when deliveries are also signed with the secret before the last rotation.'),
  ),
  created_at: time('When it was created.'),
  updated_at: time('When it was last changed.'),
}

export const webhookResponse = Type.Object(webhookFields, { title: 'Webhook' })
export const secretWebhookResponse = Type.Object(
  {
    ...webhookFields,
    secret: string('The key that deliveries are signed with. It is shown now and never again.'),
  },
  { title: 'WebhookWithSecret' },
)

export const deliveryResponse = Type.Object(
  {
    id: id("The delivery's id, which receivers get as `webhook-id` with every attempt."),
    webhook_id: id('The webhook it is for.'),
    event: string('The kind of event.'),
    status: Type.Union(
      STATUSES.map(status => Type.Literal(status)),
      { description: 'FAILED after the fifth attempt, or after 24 hours.' },
    ),
    attempts: integer('How many were made; a redelivery of what had ended starts again at 0.'),
    response_code: orNull(integer('The status of the response to the last attempt; null where there was none.')),
    response_body: orNull(string('The first 2 KB of the response to the last attempt.')),
    error: orNull(string('Why the last attempt failed.')),
    duration_ms: orNull(integer('How long the last attempt took.')),
    next_attempt_at: orNull(time('When it is attempted next; null once it has ended.')),
    created_at: time('When the event happened.'),
  },
  { title: 'Delivery' },
)

export const webhooksResponse = pageOf(webhookResponse)
export const deliveriesResponse = pageOf(deliveryResponse, `All that match, on every page; counted up to ${TOTAL_MAX}.`)

export const eventKindsResponse = pageOf(
  Type.Object(
    {
      event: string('The kind.'),
      label: string('The kind in a few words.'),
      description: string('When it happens.'),
      example: Type.Object(
        {
          event: string('The kind.'),
          timestamp: time('When it happened.'),
          data: Type.Object({}, { additionalProperties: true, description: 'What happened, by kind.' }),
        },
        { description: 'A body as receivers get it.' },
      ),
    },
    { title: 'EventKind' },
  ),
)

export const messageResponse = Type.Object({ message: string('What happens next.') })
