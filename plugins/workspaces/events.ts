import type { EventDefinition } from 'mneme/plugin'

/** For the activity feed; webhooks cannot subscribe to them. */
export const workspaceEvents: readonly EventDefinition[] = [
  { kind: 'workspace.created', description: 'A workspace was created.', public: false },
  { kind: 'key.created', description: 'An API key was created or got a new secret.', public: false },
  { kind: 'key.revoked', description: 'An API key, or its old secret, was revoked.', public: false },
]
