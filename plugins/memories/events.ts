import { defineEvent, Type } from 'mneme/plugin'
import { PRIORITIES, SIGNALS, STATUSES } from './schemas.ts'

const ID = '0b8f6a0e-5c1d-4f35-9c55-0f3b1f9d6a21'
const OTHER_ID = '5d2c9b14-7a3e-4a0c-8a51-92d4c6f0b7e3'

const id = Type.String({ description: "The memory's id." })
const userId = Type.String({ description: 'The user the memory belongs to.' })
const revision = Type.Integer({ description: 'Counts the changes of a memory, from 1.' })
const status = oneOf(STATUSES)
const closed = { additionalProperties: false }

const memory = { id: ID, user_id: 'ada' }
const reference = Type.Object({ id, user_id: userId }, closed)
const atRevision = Type.Object({ id, user_id: userId, revision }, closed)

/**
 * The events of memories. No event carries text. Public are those after which a copy of the memories kept elsewhere would be wrong; receivers
 * of `*` are spared the rest.
 */
export const memoryEvents = {
  created: defineEvent({
    kind: 'memory.created',
    label: 'Memory created',
    description: 'A new memory was stored.',
    public: true,
    schema: Type.Object({ id, user_id: userId, status, revision }, closed),
    example: { ...memory, status: 'PENDING', revision: 1 },
  }),
  updated: defineEvent({
    kind: 'memory.updated',
    label: 'Memory updated',
    description: "A memory's content or priority changed.",
    public: true,
    schema: Type.Object(
      { id, user_id: userId, status, priority: oneOf(PRIORITIES), revision, changed: Type.Array(Type.String()) },
      closed,
    ),
    example: { ...memory, status: 'PENDING', priority: 'HIGH', revision: 2, changed: ['memory'] },
  }),
  deleted: defineEvent({
    kind: 'memory.deleted',
    label: 'Memory deleted',
    description: 'A memory was deleted, or many at once.',
    public: true,
    schema: Type.Object(
      {
        id: Type.Union([id, Type.Null()], { description: 'Null if several memories were deleted.' }),
        user_id: Type.Union([userId, Type.Null()], { description: 'Null if they belonged to several users.' }),
        ids: Type.Array(id, {
          description: 'The deleted memories; one event carries at most 500, so a mass deletion publishes several.',
        }),
        count: Type.Integer(),
      },
      closed,
    ),
    example: { ...memory, ids: [ID], count: 1 },
  }),
  consolidated: defineEvent({
    kind: 'memory.consolidated',
    label: 'Memories merged',
    description: 'A memory was merged with an existing one.',
    public: true,
    schema: Type.Object({ id, user_id: userId, revision, consolidated_ids: Type.Array(id) }, closed),
    example: { ...memory, revision: 3, consolidated_ids: [OTHER_ID] },
  }),
  promoted: defineEvent({
    kind: 'memory.promoted',
    label: 'Memory made permanent',
    description: 'A TASK memory became permanent.',
    public: false,
    schema: reference,
    example: memory,
  }),
  expired: defineEvent({
    kind: 'memory.expired',
    label: 'Memory expired',
    description: 'A TASK memory expired.',
    public: true,
    schema: reference,
    example: memory,
  }),
  feedback: defineEvent({
    kind: 'memory.feedback',
    label: 'Feedback given',
    description: 'A memory was given feedback.',
    public: false,
    schema: Type.Object({ id, user_id: userId, signal: oneOf(SIGNALS) }, closed),
    example: { ...memory, signal: 'POSITIVE' },
  }),
  processed: defineEvent({
    kind: 'memory.processed',
    label: 'Memory processed',
    description: 'A memory was processed.',
    public: false,
    schema: atRevision,
    example: { ...memory, revision: 1 },
  }),
  restored: defineEvent({
    kind: 'memory.restored',
    label: 'Merge undone',
    description: 'A memory that was merged into another was restored.',
    public: true,
    schema: atRevision,
    example: { ...memory, revision: 2 },
  }),
  userErased: defineEvent({
    kind: 'user.erased',
    label: 'User erased',
    description:
      'Everything that was kept of a user is gone. It is told once: the id is kept only until the last receiver has it or is given up.',
    public: true,
    schema: Type.Object(
      {
        user_id: Type.String({ description: 'The user who was erased.' }),
        receipt: Type.Record(Type.String(), Type.Integer(), { description: 'The rows that were removed, by table.' }),
      },
      closed,
    ),
    example: { user_id: 'ada', receipt: { 'memories.memory': 12, 'search.query_log': 30 } },
  }),
  masked: defineEvent({
    kind: 'memory.masked',
    label: 'Secrets masked',
    description: 'A memory was stored with secrets in its text or metadata masked.',
    public: true,
    schema: Type.Object(
      {
        id,
        user_id: userId,
        revision,
        kinds: Type.Array(Type.String(), { description: 'What was masked, as the mask names it.' }),
      },
      closed,
    ),
    example: { ...memory, revision: 1, kinds: ['github'] },
  }),
  failed: defineEvent({
    kind: 'memory.failed',
    label: 'Processing failed',
    description: "A memory's processing failed for good.",
    public: false,
    schema: atRevision,
    example: { ...memory, revision: 1 },
  }),
}

function oneOf(values: readonly string[]) {
  return Type.Union(values.map(value => Type.Literal(value)))
}
