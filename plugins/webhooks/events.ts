import { type EventDefinition, Type } from 'mneme/plugin'
import { WEBHOOK_CREATED, WEBHOOK_FAILED, WEBHOOK_RECOVERED } from './contract.ts'

const ID = '9f4b2a6e-1c8d-4e57-b03a-5d7e9f1c2b48'
const URL_EXAMPLE = 'https://example.com'
const SINCE = '2026-06-01T08:15:00.000Z'

const webhookId = Type.String({ description: "The webhook's id." })
const url = Type.String({ description: 'The origin it sends to; the path of some receivers is a secret.' })
const closed = { additionalProperties: false }

/** All for the activity feed: who receives at one webhook has no business with the addresses of others. */
export const webhookEvents: readonly EventDefinition[] = [
  {
    kind: WEBHOOK_CREATED,
    label: 'Webhook created',
    description: 'A webhook was created.',
    public: false,
    schema: Type.Object({ webhook_id: webhookId, url, events: Type.Array(Type.String()) }, closed),
    example: { webhook_id: ID, url: URL_EXAMPLE, events: ['memory.created'] },
  },
  {
    kind: WEBHOOK_FAILED,
    label: 'Webhook failing',
    description: 'Ten attempts to deliver to a webhook failed in a row, or none succeeded for an hour. Published once.',
    public: false,
    schema: Type.Object(
      {
        webhook_id: webhookId,
        url,
        failing_since: Type.String({ description: 'When the first attempt since the last success failed.' }),
        error: Type.String({ description: 'Why the last attempt failed.' }),
        response_code: Type.Union([Type.Integer(), Type.Null()]),
      },
      closed,
    ),
    example: {
      webhook_id: ID,
      url: URL_EXAMPLE,
      failing_since: SINCE,
      error: 'The receiver answered with 503.',
      response_code: 503,
    },
  },
  {
    kind: WEBHOOK_RECOVERED,
    label: 'Webhook works again',
    description: 'A delivery to a webhook that had been reported as failing succeeded.',
    public: false,
    schema: Type.Object({ webhook_id: webhookId, url }, closed),
    example: { webhook_id: ID, url: URL_EXAMPLE },
  },
]
