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

const memberData = Type.Object(
  { role: Type.String({ description: 'The role of the account.' }) },
  { additionalProperties: false },
)

/** For the activity feed; webhooks cannot subscribe to them. */
export const workspaceEvents: readonly EventDefinition[] = [
  {
    kind: 'member.joined',
    label: 'Member joined',
    description: 'An account accepted an invitation to the workspace.',
    public: false,
    schema: memberData,
    example: { role: 'editor' },
  },
  {
    kind: 'member.removed',
    label: 'Member removed',
    description: 'An account reaches the workspace no longer.',
    public: false,
    schema: memberData,
    example: { role: 'editor' },
  },
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
