import { type TProperties, Type } from '@sinclair/typebox'
import { LAYERS, PRIORITIES, SIGNALS, SOURCES, STATUSES } from './schemas.ts'

/** What the endpoints answer; `forms.ts` builds these. */

interface Described {
  readonly description: string
}

const words = (values: readonly string[], description: string) =>
  Type.Union(
    values.map(value => Type.Literal(value)),
    { description },
  )
/** The given schema or null; what describes the one describes both. */
const orNull = <S extends Parameters<typeof Type.Union>[0][number] & Partial<Described>>(schema: S) =>
  Type.Union([schema, Type.Null()], schema.description ? { description: schema.description } : {})
const string = (description: string) => Type.String({ description })
const time = (description: string) => Type.String({ format: 'date-time', description })
const id = (description: string) => Type.String({ format: 'uuid', description })
const count = (description: string) => Type.Integer({ description })

const core = {
  id: id("The memory's id."),
  memory: string('The text.'),
  user_id: string('Whose memory it is.'),
  agent_id: orNull(string('The agent that stored it.')),
  session_id: orNull(string('The conversation it comes from.')),
  priority: words(PRIORITIES, 'What counts more is ranked higher.'),
  status: words(STATUSES, 'How far its processing is.'),
  categories: Type.Array(Type.String(), { description: 'Its categories.' }),
  metadata: orNull(
    Type.Record(Type.String(), Type.Unknown(), { description: 'The JSON object that was stored with it.' }),
  ),
  workspace_id: id('The workspace it lies in.'),
  source: words(SOURCES, 'The way it came in.'),
}
const times = { created_at: time('When it was stored.'), updated_at: time('When it was last changed.') }
const lifetime = {
  layer: words(LAYERS, 'TASK expires by itself, RAW stays.'),
  expires_at: orNull(time('When a TASK memory expires; null for RAW.')),
}

/** The answer to creation and update: the memory as it now is. */
export const storedMemory = Type.Object({ ...core, ...lifetime, ...times })

export const feedbackSummary = Type.Object(
  {
    positive: count('Signals POSITIVE so far.'),
    negative: count('Signals NEGATIVE so far.'),
    neutral: count('Signals NEUTRAL so far.'),
    last_signal: words(SIGNALS, 'The last one.'),
    last_feedback_at: time('When it came.'),
  },
  { description: 'What was said about it; null before the first signal.' },
)

/** @param added what other plugins add */
export const fullMemory = (added: TProperties = {}) =>
  Type.Object({
    ...core,
    ...lifetime,
    workspace: Type.Object(
      { id: id("The workspace's id."), name: string("The workspace's name.") },
      { description: 'The workspace it lies in.' },
    ),
    access_count: count('How often it was read or found; counted in batches.'),
    last_accessed_at: orNull(time('When it was last read or found.')),
    feedback: orNull(feedbackSummary),
    consolidated_into: orNull(id('The memory that this one was merged into.')),
    error: orNull(string('Why processing failed, when it did.')),
    ...added,
    ...times,
  })

const listedMemory = (added: TProperties) =>
  Type.Object({
    ...core,
    relevance: words(['HIGH', 'MEDIUM', 'LOW', 'NONE'], 'How well it fits the search; NONE in a plain list.'),
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
    ...added,
    ...times,
  })

const envelope = {
  total: count('All there are, on every page.'),
  page: count('The page, from 1.'),
  page_size: count('Items on a page.'),
}

/** @param added what other plugins add to memories */
export const memoryPage = (added: TProperties = {}) =>
  Type.Object({
    data: Type.Array(listedMemory(added), { description: 'The memories of the page.' }),
    ...envelope,
    query_hash: Type.Optional(Type.String({ description: 'With `search`: names the query in feedback.' })),
    warning: Type.Optional(Type.String({ description: 'Says what a `search` had to do without.' })),
  })

export const historyPage = Type.Object({
  data: Type.Array(
    Type.Object({
      id: id("The event's id."),
      memory_id: id("The memory's id."),
      event: words(['CREATED', 'UPDATED', 'CONSOLIDATED', 'RESTORED'], 'What happened.'),
      old_content: orNull(string('The text before; null on creation.')),
      new_content: string('The text after.'),
      absorbed_id: Type.Optional(
        id('With CONSOLIDATED: the memory that was merged into this one; it can be restored.'),
      ),
      created_at: time('When it happened.'),
    }),
    { description: 'The events of the page.' },
  ),
  ...envelope,
})

export const errorResponseSchema = Type.Object(
  {
    status_code: count('The HTTP status.'),
    error: string('The standard HTTP status text.'),
    message: string('A sentence for people.'),
    error_code: string('A word for programs.'),
    details: Type.Optional(
      Type.Array(
        Type.Object({ path: string('Where the field stands, dotted.'), message: string('What would be right.') }),
        { description: 'On validation errors: every field at fault.' },
      ),
    ),
  },
  { description: 'Why the item was refused, as a request for it alone would have been.' },
)

export const batchResponse = Type.Object({
  results: Type.Array(
    Type.Union([
      Type.Object({
        status: Type.Literal(201, { description: 'The item was stored.' }),
        memory: Type.Object(storedMemory.properties, { description: 'The memory.' }),
      }),
      Type.Object({ status: count('The status it would have been answered with alone.'), error: errorResponseSchema }),
    ]),
    { description: 'One answer for each item, in the order sent.' },
  ),
})

export const entityList = Type.Array(
  Type.Object({
    type: words(['user', 'agent'], 'What it is.'),
    id: string('Its id, as memories carry it.'),
    count: count('How many memories it has.'),
  }),
)

export const categoryList = Type.Object({
  categories: Type.Array(Type.String(), { description: 'Every category that a memory has, in order.' }),
})

export const profileResponse = Type.Object({
  profile: orNull(
    Type.Object(
      {
        userId: string('Whose profile it is.'),
        workspaceId: id('The workspace.'),
        summary: string('What the memories say of the user, in short.'),
        topics: Type.Array(Type.String(), { description: 'What they are about.' }),
        entityCount: count('People, organizations, places and things in them.'),
        extractedAt: time('When it was made.'),
      },
      { description: 'null while there is none.' },
    ),
  ),
})

export const message = Type.Object({ message: string('A sentence for people.') })
