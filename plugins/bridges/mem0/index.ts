import { type Bridge, refused } from '../bridge.ts'
import { entityRows } from './entity-rows.ts'
import { memoryRows } from './memory-rows.ts'
import { serverRows } from './server-rows.ts'

const PROFILES = "Mneme's profiles are compiled as memories come in; their form is not a setting of the bridge."
const WEBHOOKS = "Mneme's webhooks deliver in a form of their own; create them with `POST /v1/webhooks`."

/** mem0: the routes of its platform, and those of the server that people host themselves. */
export const mem0: Bridge = {
  id: 'mem0',
  failureBody: ({ message, error_code, details }) => ({
    detail: message,
    error: message,
    error_code,
    ...(details ? { details } : {}),
  }),
  rows: [
    ...memoryRows,
    ...entityRows,
    ...serverRows,
    refused('GET', '/v1/events', 'list of events', 'Mneme lists no conversations; ask for each by its `event_id`.'),
    refused(
      'POST',
      '/v1/exports',
      '`createMemoryExport`',
      'Mneme exports whole memories, with `POST /v1/exports`, and fills no schema.',
    ),
    refused('POST', '/v1/exports/get', '`getMemoryExport`', 'Mneme exports whole memories, with `POST /v1/exports`.'),
    refused(
      'POST',
      '/v1/summary',
      'summary',
      'Mneme compiles a profile for each user instead: `GET /v2/entities/user/{id}/profile/`.',
    ),
    refused('GET', '/v2/profiles/settings', '`getProfileSettings`', PROFILES),
    refused('POST', '/v2/profiles/settings', '`updateProfileSettings`', PROFILES),
    refused('PATCH', '/v2/profiles/settings', '`update_profile_settings`', PROFILES),
    refused('POST', '/v2/profiles/jobs', '`generateProfile`, `sampleProfiles`', PROFILES),
    refused('GET', '/v2/profiles/jobs/:id', '`getProfileJob`', PROFILES),
    refused('GET', '/api/v1/webhooks/projects/:id', '`getWebhooks`', WEBHOOKS),
    refused('POST', '/api/v1/webhooks/projects/:id', '`createWebhook`', WEBHOOKS),
    refused('PUT', '/api/v1/webhooks/:id', '`updateWebhook`', WEBHOOKS),
    refused('DELETE', '/api/v1/webhooks/:id', '`deleteWebhook`', WEBHOOKS),
    refused('POST', '/reset', 'server: reset', 'Delete the memories of each user, or the workspace.'),
    refused('GET', '/configure', 'server: configuration', 'The settings of the server say what it works with.'),
    refused('POST', '/configure', 'server: configuration', 'The settings of the server say what it works with.'),
  ],
}
