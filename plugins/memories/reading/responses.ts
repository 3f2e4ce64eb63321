import { type TProperties, Type } from '@sinclair/typebox'
import { listedMemory, memoryCore, memoryHolding, memoryTimes } from '../contract/listed-memory.ts'
import { LAYERS, SIGNALS, STATUSES } from '../schemas.ts'

/** The schemas of this plugin's responses; `serializers.ts` builds the values. */

interface Described {
  readonly description: string
}

const words = (values: readonly string[], description: string) =>
  Type.Union(
    values.map(value => Type.Literal(value)),
    { description },
  )
/** Makes a schema nullable and copies its description to the union. */
const orNull = <S extends Parameters<typeof Type.Union>[0][number] & Partial<Described>>(schema: S) =>
  Type.Union([schema, Type.Null()], schema.description ? { description: schema.description } : {})
const string = (description: string) => Type.String({ description })
const time = (description: string) => Type.String({ format: 'date-time', description })
const id = (description: string) => Type.String({ format: 'uuid', description })
const count = (description: string) => Type.Integer({ description })

const lifetime = {
  layer: words(LAYERS, 'TASK expires by itself, RAW stays.'),
  expires_at: orNull(time('When a TASK memory expires; null for RAW.')),
}

/** The response to creation and update: the current memory. */
export const storedMemory = Type.Object(
  { ...memoryCore, ...lifetime, ...memoryTimes },
  { title: 'StoredMemory', description: 'The memory as it is stored.' },
)

export const feedbackSummary = Type.Object(
  {
    positive: count('Number of POSITIVE signals.'),
    negative: count('Number of NEGATIVE signals.'),
    neutral: count('Number of NEUTRAL signals.'),
    last_signal: words(SIGNALS, 'The last signal.'),
    last_feedback_at: time('When the last signal was given.'),
  },
  { title: 'FeedbackSummary', description: 'The feedback so far; null before the first signal.' },
)

/** @param added fields of other plugins */
export const fullMemory = (added: TProperties = {}) =>
  Type.Object(
    {
      ...memoryCore,
      ...lifetime,
      workspace: Type.Object(
        { id: id("The workspace's id."), name: string("The workspace's name.") },
        { description: 'The workspace it belongs to.' },
      ),
      access_count: count('How often it was read or found; counted in batches.'),
      last_accessed_at: orNull(time('When it was last read or found.')),
      feedback: orNull(feedbackSummary),
      consolidated_into: orNull(id('The memory that this one was merged into.')),
      error: orNull(string('Why processing failed, when it did.')),
      ...memoryHolding,
      ...added,
      ...memoryTimes,
    },
    { title: 'Memory' },
  )

const envelope = {
  total: count('The number of items on all pages.'),
  page: count('The page, from 1.'),
  page_size: count('Items on a page.'),
}

/** @param added fields of other plugins on each memory */
export const memoryPage = (added: TProperties = {}) =>
  Type.Object(
    {
      data: Type.Array(listedMemory(added), { description: 'The memories of the page.' }),
      ...envelope,
      query_hash: Type.Optional(Type.String({ description: 'With `search`: refers to this query in feedback.' })),
      warning: Type.Optional(Type.String({ description: 'With `search`: what was unavailable.' })),
    },
    { title: 'MemoryPage' },
  )

export const historyPage = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          id: id("The event's id."),
          memory_id: id("The memory's id."),
          event: words(['CREATED', 'UPDATED', 'CONSOLIDATED', 'RESTORED'], 'The kind of event.'),
          old_content: orNull(
            string('The text before, of CONSOLIDATED that of the absorbed memory; null on creation.'),
          ),
          new_content: string('The text after.'),
          absorbed_id: Type.Optional(
            id('With CONSOLIDATED: the memory that was merged into this one; it can be restored.'),
          ),
          created_at: time('When it happened.'),
        },
        { title: 'MemoryEvent' },
      ),
      { description: 'The events of the page.' },
    ),
    ...envelope,
  },
  { title: 'MemoryEventPage' },
)

export const errorResponseSchema = Type.Object(
  {
    status_code: count('The HTTP status.'),
    error: string('The standard HTTP status text.'),
    message: string('A sentence for people.'),
    error_code: string('A stable code for programs.'),
    details: Type.Optional(
      Type.Array(
        Type.Object({ path: string('The path of the field, joined by dots.'), message: string('The expected value.') }),
        { description: 'On validation errors: every field at fault.' },
      ),
    ),
  },
  { title: 'BatchItemError', description: 'The error that a request for this item alone would receive.' },
)

export const batchResponse = Type.Object({
  results: Type.Array(
    Type.Union([
      Type.Object(
        {
          status: Type.Literal(201, { description: 'The item was stored.' }),
          memory: storedMemory,
        },
        { title: 'BatchItemStored' },
      ),
      Type.Object(
        {
          status: count('The status that a request for this item alone would receive.'),
          error: errorResponseSchema,
        },
        { title: 'BatchItemFailed' },
      ),
    ]),
    { description: 'One result per item, in the order sent.' },
  ),
})

export const entityList = Type.Array(
  Type.Object(
    {
      type: words(['user', 'agent'], 'A user or an agent.'),
      id: string('The id that memories refer to.'),
      count: count('How many memories it has.'),
    },
    { title: 'UserOrAgent' },
  ),
)

export const categoryList = Type.Object({
  categories: Type.Array(Type.String(), { description: 'The categories of all memories, sorted.' }),
})

export const profileResponse = Type.Object({
  profile: orNull(
    Type.Object(
      {
        userId: string('The user the profile describes.'),
        workspaceId: id('The workspace.'),
        summary: string('A summary of what the memories say about the user.'),
        topics: Type.Array(Type.String(), { description: 'The topics of the memories.' }),
        entityCount: count('The number of people, organizations, places and things they mention.'),
        extractedAt: time('When it was compiled.'),
      },
      { title: 'Profile', description: 'The profile; null while there is none.' },
    ),
  ),
})

/** Under the schema of a workspace; the profile is null where it has none. */
export const shapedProfileResponse = Type.Object(
  {
    profile: orNull(
      Type.Record(Type.String(), Type.Unknown(), { description: 'By the schema; null where nothing is known.' }),
    ),
    sources: Type.Record(
      Type.String(),
      Type.Object({ memory_id: id('The memory that says it.'), said_at: time('When it was said.') }),
      { description: 'By the path of a value, such as `home.city`, and `tools.0` in a list.' },
    ),
  },
  { title: 'ShapedProfile' },
)

export const message = Type.Object({ message: string('A sentence for people.') }, { title: 'Message' })

export const userCount = Type.Object(
  {
    user_id: string("The user's id."),
    memories: count('Its visible memories.'),
    first_at: time('When the oldest of them was created.'),
    last_at: time('When the newest of them was created.'),
  },
  { title: 'User' },
)

export const erasureResponse = Type.Object(
  {
    id: id("The erasure's id."),
    user_id: string("The user's id. Once the erasure has ended, its SHA-256 with the workspace's salt, in hex."),
    status: words(STATUSES, 'PENDING, PROCESSING, then COMPLETED; FAILED when it was given up: erase the user again.'),
    receipt: orNull(
      Type.Record(Type.String(), Type.Integer(), {
        description: 'The rows that were removed, by table; null until the erasure has ended.',
      }),
    ),
    error: orNull(string('Why it was given up.')),
    created_at: time('When it was asked for.'),
    completed_at: orNull(time("When it ended: what was written later is a new user's.")),
  },
  { title: 'Erasure', description: 'The erasure of a user.' },
)
