import { Type } from '@sinclair/typebox'
import { LAYERS, PRIORITIES, SIGNALS, SOURCES, STATUSES } from './schemas.ts'

/** What the endpoints answer; `forms.ts` builds these. */

const words = (values: readonly string[]) => Type.Union(values.map(value => Type.Literal(value)))
const orNull = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) => Type.Union([schema, Type.Null()])
const time = Type.String({ format: 'date-time' })
const id = Type.String({ format: 'uuid' })
const anyObject = Type.Record(Type.String(), Type.Unknown())

const core = {
  id,
  memory: Type.String(),
  user_id: Type.String(),
  agent_id: orNull(Type.String()),
  session_id: orNull(Type.String()),
  priority: words(PRIORITIES),
  status: words(STATUSES),
  categories: Type.Array(Type.String()),
  metadata: orNull(anyObject),
  workspace_id: id,
  source: words(SOURCES),
}
const times = { created_at: time, updated_at: time }
const lifetime = { layer: words(LAYERS), expires_at: orNull(time) }

/** The answer to creation and update: the memory as it now is. */
export const storedMemory = Type.Object({ ...core, ...lifetime, ...times })

export const feedbackSummary = Type.Object({
  positive: Type.Integer(),
  negative: Type.Integer(),
  neutral: Type.Integer(),
  last_signal: words(SIGNALS),
  last_feedback_at: time,
})

export const fullMemory = Type.Object({
  ...core,
  ...lifetime,
  workspace: Type.Object({ id, name: Type.String() }),
  access_count: Type.Integer(),
  last_accessed_at: orNull(time),
  feedback: orNull(feedbackSummary),
  consolidated_into: orNull(id),
  error: orNull(Type.String({ description: 'Why processing failed, when it did.' })),
  ...times,
})

export const listedMemory = Type.Object({
  ...core,
  relevance: words(['HIGH', 'MEDIUM', 'LOW', 'NONE']),
  score: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'In search results.' })),
  explanation: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'With `explain`: what the score was made of, in the form that the search endpoints describe.',
      },
    ),
  ),
  ...times,
})

const envelope = { total: Type.Integer(), page: Type.Integer(), page_size: Type.Integer() }

export const memoryPage = Type.Object({
  data: Type.Array(listedMemory),
  ...envelope,
  query_hash: Type.Optional(Type.String({ description: 'With `search`: names the query in feedback.' })),
})

export const historyPage = Type.Object({
  data: Type.Array(
    Type.Object({
      id,
      memory_id: id,
      event: words(['CREATED', 'UPDATED', 'CONSOLIDATED']),
      old_content: orNull(Type.String()),
      new_content: Type.String(),
      created_at: time,
    }),
  ),
  ...envelope,
})

export const errorAnswer = Type.Object({
  status_code: Type.Integer(),
  error: Type.String(),
  message: Type.String(),
  error_code: Type.String(),
  details: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
})

export const batchAnswer = Type.Object({
  results: Type.Array(
    Type.Union([
      Type.Object({ status: Type.Literal(201), memory: storedMemory }),
      Type.Object({ status: Type.Integer(), error: errorAnswer }),
    ]),
  ),
})

export const entityList = Type.Array(
  Type.Object({ type: words(['user', 'agent']), id: Type.String(), count: Type.Integer() }),
)

export const categoryList = Type.Object({ categories: Type.Array(Type.String()) })

export const profileAnswer = Type.Object({
  profile: orNull(
    Type.Object({
      userId: Type.String(),
      workspaceId: id,
      summary: Type.String(),
      topics: Type.Array(Type.String()),
      entityCount: Type.Integer(),
      extractedAt: time,
    }),
  ),
})

export const message = Type.Object({ message: Type.String() })
