import { Buffer } from 'node:buffer'
import { Kind, type Static, type TSchema, Type, TypeRegistry } from '@sinclair/typebox'
import { instant, oneOf, pageParameters, text, uuid } from 'mneme/plugin'
import { timezoneField } from './contract/timezone.ts'

export const PRIORITIES = ['LOW', 'MEDIUM', 'HIGH'] as const
export const STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] as const
export const LAYERS = ['TASK', 'RAW'] as const
export const SOURCES = ['API', 'INGEST', 'TEMPLATE', 'CONVERSATION', 'IMPORT'] as const
/** The ways in which a search matches. */
export const SEARCH_MODES = ['hybrid', 'semantic', 'keyword'] as const
export const SIGNALS = ['POSITIVE', 'NEGATIVE', 'NEUTRAL'] as const

export const TEXT_MAX = 50_000
export const ID_MAX = 255
export const CATEGORIES_MAX = 20
export const CATEGORY_MAX = 100
export const BATCH_MAX = 500
export const QUERY_MAX = 1000
/** Conditions on metadata in the address of a list. */
const FILTER_MAX = 4000

/** A metadata object is limited in the bytes of its JSON in UTF-8 and in levels of nesting. */
export const METADATA_BYTES_MAX = 65_536
export const METADATA_DEPTH_MAX = 32

export type Metadata = Readonly<Record<string, unknown>>

/** JSON.stringify escapes NUL and lone surrogates, and nothing else, this way; an even run of backslashes is a literal one. */
const UNSTORABLE_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/

TypeRegistry.Set('Metadata', (_: TSchema, value: unknown) => isStorable(value))
const EXAMPLE_TEXT = 'Ada prefers concise answers and works from Lisbon.'

/** Makes a schema nullable; without an `errorMessage` for both cases the faults are those of the value. */
function nullable<S extends TSchema>(schema: S, errorMessage?: string) {
  return Type.Union([schema, Type.Null()], {
    ...(errorMessage ? { errorMessage } : {}),
    ...(schema.description ? { description: schema.description } : {}),
  })
}

const memoryText = (description: string) =>
  text({ minLength: 1, maxLength: TEXT_MAX, notBlank: true, description, examples: [EXAMPLE_TEXT] })

/** The id of a user, an agent or a session. */
export const identifier = (description: string) =>
  text({ minLength: 1, maxLength: ID_MAX, notBlank: true, description })

const optionalIdentifier = (description: string) => Type.Optional(nullable(identifier(description)))

const category = text({ minLength: 1, maxLength: CATEGORY_MAX, notBlank: true })

const categoriesRule = {
  maxItems: CATEGORIES_MAX,
  description: 'Trimmed and deduplicated.',
  examples: [['preferences', 'work_context']],
}
const categories = Type.Array(category, categoriesRule)

const priority = oneOf(PRIORITIES, { description: 'MEDIUM when omitted.' })
/** The schema of metadata in requests, which may be null. */
export const metadataOrNull = nullable(
  metadata({
    description:
      'Any JSON object, kept exactly. At most 64 KB of JSON, 32 levels deep. A date-time in `said_at` tells that the text was said then, which what holds now and words such as "yesterday" go by.',
  }),
  metadata().errorMessage,
)

/** The words of whoever brings in texts on what is to be kept of them; conversations and documents take the same. */
export const modelInstructions = text({
  minLength: 1,
  maxLength: 2000,
  notBlank: true,
  description:
    'What a language model is to keep of it and what to leave out, in plain words, within the rules that it has; without a model it changes nothing.',
  examples: ['Keep what is said about orders. Leave out health.'],
})

/** Fields of new memories that forms have too, where nothing is null, and a list without anything in it is a slip, as in a query. */
export const newMemoryFormFields = {
  user_id: Type.Optional(identifier('The user the memory belongs to; `default` when omitted.')),
  categories: Type.Optional(Type.Array(category, { ...categoriesRule, minItems: 1 })),
}

/** The fields of a new memory beside its text; other routes that create memories accept the same. Null stands for one that is left out. */
export const newMemoryFields = {
  user_id: optionalIdentifier('The user the memory belongs to; `default` when omitted or null.'),
  agent_id: optionalIdentifier('The agent that stores it.'),
  session_id: optionalIdentifier('The conversation it comes from.'),
  priority: Type.Optional(nullable(priority)),
  categories: Type.Optional(nullable(categories)),
  metadata: Type.Optional(metadataOrNull),
}

const alias = (name: string) => `Another name for \`${name}\`, accepted in its place; both at once is an error.`
/** The schemas leave these open, since callers may send them under another name. */
const textOrAlias = { requiredOrAlias: ['memory'] }

export const createBody = Type.Object(
  {
    memory: Type.Optional(memoryText('The text to remember, kept exactly as sent.')),
    content: Type.Optional(memoryText(alias('memory'))),
    ...newMemoryFields,
    layer: Type.Optional(nullable(oneOf(LAYERS, { description: 'TASK expires by itself, RAW (the default) stays.' }))),
    expires_at: Type.Optional(
      nullable(
        instant({ description: 'When a TASK memory expires; in the future. When omitted, TASK_TTL decides.' }),
        'must be an ISO 8601 date or date-time between 1900 and 2200, or null',
      ),
    ),
  },
  textOrAlias,
)
export type CreateBody = Static<typeof createBody>

// Items are validated one by one, so that a bad item gets its own error and does not fail the others. The reference still shows the schema
// of an item.
TypeRegistry.Set('BatchItem', () => true)
const batchItem = Type.Unsafe<unknown>({ ...createBody, [Kind]: 'BatchItem', title: 'NewMemory' })

export const batchBody = Type.Object({
  memories: Type.Array(batchItem, {
    minItems: 1,
    maxItems: BATCH_MAX,
    description: 'Items with the fields of a single creation.',
  }),
})

export const updateBody = Type.Object(
  {
    memory: Type.Optional(memoryText('The new text.')),
    content: Type.Optional(memoryText(alias('memory'))),
    priority: Type.Optional(priority),
    categories: Type.Optional(categories),
    metadata: Type.Optional(metadataOrNull),
  },
  textOrAlias,
)
export type UpdateBody = Static<typeof updateBody>

/** The fields a hook may change; they are validated like the input of a caller. */
export const intakeChange = Type.Object({
  text: Type.Optional(memoryText('The text.')),
  categories: Type.Optional(categories),
  metadata: Type.Optional(metadataOrNull),
})

const signal = (description: string) => oneOf(SIGNALS, { description })
export const feedbackBody = Type.Object(
  {
    signal: Type.Optional(signal('How well the memory served.')),
    rating: Type.Optional(signal(alias('signal'))),
    query_hash: Type.Optional(
      nullable(text({ minLength: 1, maxLength: 64, description: 'The `query_hash` of the search that found it.' })),
    ),
  },
  { requiredOrAlias: ['signal'] },
)
export type FeedbackBody = Static<typeof feedbackBody>

export const memoryParams = Type.Object({ id: uuid({ description: "The memory's id." }) })
export const profileParams = Type.Object({
  workspaceId: uuid({ description: "The workspace's id." }),
  userId: identifier('The user the profile describes.'),
})

/** Lists, searches and routes that build on them take these. */
export const ownerFilters = {
  user_id: Type.Optional(identifier('Memories of this user.')),
  agent_id: Type.Optional(identifier('Memories of this agent.')),
  session_id: Type.Optional(identifier('Memories of this session.')),
}

/** Searches, and what rests on them, leave out what fits less. */
export const minScoreField = Type.Optional(
  Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Results with a lower `score` are left out and not counted; MEDIUM begins at 0.33, HIGH at 0.66.',
    examples: [0.33],
  }),
)

/** A filter by categories. */
export const categoriesField = (description: string) =>
  Type.Optional(Type.Array(category, { minItems: 1, maxItems: 100, description }))

/** Lists and searches take these. */
export const filterFields = {
  ...ownerFilters,
  priority: Type.Optional(oneOf(PRIORITIES, { description: 'Memories of this priority.' })),
  priorities: Type.Optional(
    Type.Array(oneOf(PRIORITIES), {
      minItems: 1,
      maxItems: 3,
      description: 'Any of these; takes precedence over `priority`.',
    }),
  ),
  categories: categoriesField('At least one of these.'),
  created_after: Type.Optional(instant({ description: 'Created at this instant or later.' })),
  created_before: Type.Optional(instant({ description: 'Created at this instant or earlier.' })),
}

export const listQuery = Type.Object({
  search: Type.Optional(
    text({
      minLength: 1,
      maxLength: QUERY_MAX,
      notBlank: true,
      description: 'Searches instead of listing; best first.',
    }),
  ),
  ...filterFields,
  categories: categoriesField(
    'At least one of these. One with a comma in it can be given in the body of a search alone.',
  ),
  filter: Type.Optional(
    text({
      minLength: 2,
      maxLength: FILTER_MAX,
      description: 'Conditions on metadata as JSON, as in the `filter` of a search.',
      examples: ['{"source.kind": "mail", "score": {"gte": 3}}'],
    }),
  ),
  mode: oneOf(SEARCH_MODES, { default: 'hybrid', description: 'How `search` matches.' }),
  expand: Type.Boolean({ default: false, description: 'Adds related terms to a hybrid or semantic `search`.' }),
  explain: Type.Boolean({
    default: false,
    description: 'Adds to each result of a `search` the parts of its score.',
  }),
  min_score: minScoreField,
  timezone: timezoneField,
  ...pageParameters,
  page_size: { ...pageParameters.page_size, default: 10 },
})

export const reprocessBody = Type.Object({
  status: Type.Optional(oneOf(['FAILED'], { description: 'Only failed memories are processed again.' })),
  user_id: Type.Optional(identifier('Only memories of this user.')),
})

export const deleteAllQuery = Type.Object({
  user_id: Type.Optional(identifier('Only memories of this user.')),
  agent_id: Type.Optional(identifier('Only memories of this agent.')),
  session_id: Type.Optional(identifier('Only memories of this session.')),
})

export const userParams = Type.Object({ user_id: identifier("The user's id.") })
export const erasureParams = Type.Object({ id: uuid({ description: "The erasure's id." }) })

export const userListQuery = Type.Object({
  q: Type.Optional(text({ minLength: 1, maxLength: ID_MAX, description: 'Only users whose ids begin with this.' })),
  ...pageParameters,
})

/**
 * A schema for any JSON object that can be stored without loss: bounded, and free of values that JSON can write but Postgres cannot hold.
 */
export function metadata(options: { description?: string; examples?: unknown[] } = {}) {
  return Type.Unsafe<Metadata>({
    [Kind]: 'Metadata',
    type: 'object',
    additionalProperties: true,
    errorMessage: `must be an object of at most ${METADATA_BYTES_MAX} bytes and ${METADATA_DEPTH_MAX} levels, without NUL characters, lone surrogates or numbers beyond the range of a double`,
    ...options,
  })
}

function isStorable(value: unknown): value is Metadata {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  // The bounds are checked first, because only then is the recursion of JSON.stringify known to be shallow and cheap.
  if (!fitsBounds(value, METADATA_DEPTH_MAX, { values: METADATA_BYTES_MAX })) return false
  const json = JSON.stringify(value)
  if (json.length > METADATA_BYTES_MAX || Buffer.byteLength(json) > METADATA_BYTES_MAX) return false
  return !UNSTORABLE_ESCAPE.test(json)
}

/** Checks depth and number of values; the number bounds the bytes from below, since each value takes at least one. */
function fitsBounds(value: unknown, depth: number, room: { values: number }): boolean {
  if (--room.values < 0) return false
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  const items: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return depth > 0 && items.every(item => fitsBounds(item, depth - 1, room))
}
