import { type Bridge, refused } from '../bridge.ts'
import { entityRows } from './entity-rows.ts'
import { memoryRows } from './memory-rows.ts'

const WEBHOOK = '/api/v1/webhooks/:id'
const WEBHOOKS = '/api/v1/webhooks/projects/:id'
const SETTINGS = '/v2/profiles/settings'

/** mem0: the routes of its platform, and those of the server that people host themselves. */
export const mem0: Bridge = {
  id: 'mem0',
  failureBody: ({ message, error_code, details }) => ({ detail: message, error: message, error_code, details }),
  // The key says what the first two say, the vendor learns from the third who calls, and answers have one form.
  unread: ['org_id', 'project_id', 'source', 'version', 'output_format', 'async_mode'],
  rows: [
    ...memoryRows,
    ...entityRows,
    refused(
      ['GET', 'PATCH', 'DELETE'].map(method => `${method} /api/v1/orgs/organizations/:org/projects/:id`),
      '`getProject`, `updateProject`',
      'A project is a workspace of Mneme: see `PATCH /v1/workspaces/:id`, and its setting `conversation_instructions`.',
    ),
    refused('GET /v1/events', 'list of events', 'Mneme lists no conversations; ask for each by its `event_id`.'),
    refused(
      ['POST /v1/exports', 'POST /v1/exports/get'],
      '`createMemoryExport`, `getMemoryExport`',
      'Mneme exports whole memories, with `POST /v1/exports`, and fills no schema.',
    ),
    refused(
      'POST /v1/summary',
      'summary',
      'Mneme compiles a profile of each user instead: `GET /v2/entities/user/{id}/profile/`.',
    ),
    refused(
      [
        `GET ${SETTINGS}`,
        `POST ${SETTINGS}`,
        `PATCH ${SETTINGS}`,
        'POST /v2/profiles/jobs',
        'GET /v2/profiles/jobs/:id',
      ],
      '`getProfileSettings`, `updateProfileSettings`, `generateProfile`, `sampleProfiles`, `getProfileJob`',
      'Mneme compiles profiles as memories come in; their form is not a setting of the bridge.',
    ),
    refused(
      [`GET ${WEBHOOKS}`, `POST ${WEBHOOKS}`, `PUT ${WEBHOOK}`, `DELETE ${WEBHOOK}`],
      '`getWebhooks`, `createWebhook`, `updateWebhook`, `deleteWebhook`',
      'Webhooks of Mneme deliver in a form of their own; create them with `POST /v1/webhooks`.',
    ),
    refused(
      ['POST /reset', 'GET /configure', 'POST /configure'],
      'reset and configuration of the server',
      'The settings of Mneme say what it works with; delete a workspace to begin anew.',
    ),
  ],
}
