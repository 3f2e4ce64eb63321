import { type EventDefinition, Type } from 'mneme/plugin'

const keyData = Type.Object(
  {
    name: Type.String({ description: 'The name it was given.' }),
    prefix: Type.String({ description: 'The beginning by which people recognise the key.' }),
    mode: Type.Union([Type.Literal('live'), Type.Literal('test')]),
    rotation: Type.Optional(Type.Literal(true, { description: 'The key stays and its secret changes.' })),
  },
  { additionalProperties: false },
)
const keyExample = { name: 'Assistant', prefix: 'mn_live_4fTq', mode: 'live' }

/** For the activity feed; webhooks cannot subscribe to them. */
export const workspaceEvents: readonly EventDefinition[] = [
  {
    kind: 'workspace.created',
    label: 'Workspace created',
    description: 'A workspace was created.',
    public: false,
    schema: Type.Object({ name: Type.String(), plan: Type.String() }, { additionalProperties: false }),
    example: { name: 'Support', plan: 'unlimited' },
  },
  {
    kind: 'key.created',
    label: 'API key created',
    description: 'An API key was created or got a new secret.',
    public: false,
    schema: keyData,
    example: keyExample,
  },
  {
    kind: 'key.revoked',
    label: 'API key revoked',
    description: 'An API key, or its old secret, was revoked.',
    public: false,
    schema: keyData,
    example: keyExample,
  },
]
