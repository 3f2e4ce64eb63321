import { Type } from '@sinclair/typebox'
import { instant, oneOf, text, uuid } from '../../core/http/validation.ts'

const PRIORITIES = ['LOW', 'MEDIUM', 'HIGH'] as const
export const PAGE_SIZE_DEFAULT = 10
const PAGE_MAX = 1_000_000

const identifier = (description: string) => text({ minLength: 1, maxLength: 255, notBlank: true, description })
const limit = Type.Integer({ minimum: 1, maximum: 100, description: 'Results on a page; 10 when left out.' })

/** What both forms of a search take. */
const searchFields = {
  query: text({
    minLength: 1,
    maxLength: 1000,
    notBlank: true,
    description: 'What to look for. `"phrases"`, `-exclusions` and `OR` are understood.',
    examples: ['Which tea does Ada like?'],
  }),
  user_id: Type.Optional(identifier('Memories of this user.')),
  agent_id: Type.Optional(identifier('Memories of this agent.')),
  session_id: Type.Optional(identifier('Memories of this session.')),
  priority: Type.Optional(oneOf(PRIORITIES, { description: 'Memories of this priority.' })),
  priorities: Type.Optional(
    Type.Array(oneOf(PRIORITIES), { minItems: 1, description: 'Any of these; takes precedence over `priority`.' }),
  ),
  categories: Type.Optional(
    Type.Array(text({ minLength: 1, maxLength: 100, notBlank: true }), {
      minItems: 1,
      maxItems: 100,
      description: 'At least one of these.',
    }),
  ),
  created_after: Type.Optional(instant({ description: 'Created at this instant or later.' })),
  created_before: Type.Optional(instant({ description: 'Created at this instant or earlier.' })),
  limit: Type.Optional(limit),
}

const mode = { description: 'By words and meaning, by meaning, or by exact words.', default: 'hybrid' as const }
const MODES = ['hybrid', 'semantic', 'keyword'] as const
const expand = 'Adds related terms in hybrid and semantic mode.'
const page = { minimum: 1, maximum: PAGE_MAX, description: 'From 1.' }

export const searchQuery = Type.Object({
  ...searchFields,
  mode: oneOf(MODES, mode),
  expand: Type.Boolean({ default: false, description: expand }),
  page: Type.Integer({ ...page, default: 1 }),
  page_size: Type.Optional(limit),
})

export const searchBody = Type.Object({
  ...searchFields,
  mode: Type.Optional(oneOf(MODES, mode)),
  expand: Type.Optional(Type.Boolean({ default: false, description: expand })),
  page: Type.Optional(Type.Integer({ ...page, default: 1 })),
  page_size: Type.Optional(limit),
  filter: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'Conditions on metadata, all of which must hold: `{key: value}`, or `{key: {eq, ne, gt, gte, lt, lte, in, exists}}`. Dots in a key lead into objects.',
        examples: [{ 'source.kind': 'mail', score: { gte: 3 } }],
      },
    ),
  ),
})

const nullableText = Type.Union([Type.String(), Type.Null()])

const foundMemory = Type.Object({
  id: uuid(),
  memory: Type.String(),
  user_id: Type.String(),
  agent_id: nullableText,
  session_id: nullableText,
  priority: oneOf(PRIORITIES),
  status: oneOf(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED']),
  categories: Type.Array(Type.String()),
  metadata: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
  workspace_id: uuid(),
  source: oneOf(['API', 'INGEST', 'TEMPLATE', 'CONVERSATION', 'IMPORT']),
  relevance: oneOf(['HIGH', 'MEDIUM', 'LOW']),
  score: Type.Number({ minimum: 0, maximum: 1, description: 'Comparable within one answer.' }),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
})

export const searchAnswer = Type.Object({
  data: Type.Array(foundMemory),
  total: Type.Integer({ minimum: 0, description: 'All matches, counted up to 1,000.' }),
  page: Type.Integer(),
  page_size: Type.Integer(),
  query_hash: Type.String({ description: 'Names this query in feedback.' }),
  warning: Type.Optional(Type.String({ description: 'Says what the search had to do without.' })),
})
