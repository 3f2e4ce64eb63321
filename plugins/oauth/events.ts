import { type EventDefinition, type NewEvent, Type } from 'mneme/plugin'
import { hostOf } from './clients.ts'
import type { Connection } from './queries/connections.ts'

const schema = Type.Object(
  {
    name: Type.String({ description: 'As the application calls itself.' }),
    host: Type.String({ description: 'Where it has answers sent.' }),
  },
  { additionalProperties: false },
)
const example = { name: 'Claude', host: 'claude.ai' }

/** For the activity feed; webhooks cannot subscribe to them. */
export const oauthEvents: readonly EventDefinition[] = [
  {
    kind: 'connection.created',
    label: 'Application connected',
    description: 'An account let an application into the workspace.',
    public: false,
    schema,
    example,
  },
  {
    kind: 'connection.removed',
    label: 'Application disconnected',
    description: 'An application was shut out of the workspace.',
    public: false,
    schema,
    example,
  },
]

export function connectionEvent(kind: 'connection.created' | 'connection.removed', connection: Connection): NewEvent {
  const { workspaceId, id, clientName, redirectUri } = connection
  return { kind, workspaceId, subjectId: id, userId: null, data: { name: clientName, host: hostOf(redirectUri) } }
}
