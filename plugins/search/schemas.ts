import { type TProperties, Type } from '@sinclair/typebox'
import { instant, oneOf, text, uuid } from 'mneme/plugin'

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
const explain = 'Adds to each result what its score was made of.'
const expand = 'Adds related terms in hybrid and semantic mode.'
const page = { minimum: 1, maximum: PAGE_MAX, description: 'From 1.' }

export const searchQuery = Type.Object({
  ...searchFields,
  mode: oneOf(MODES, mode),
  expand: Type.Boolean({ default: false, description: expand }),
  explain: Type.Boolean({ default: false, description: explain }),
  page: Type.Integer({ ...page, default: 1 }),
  page_size: Type.Optional(limit),
})

export const searchBody = Type.Object({
  ...searchFields,
  mode: Type.Optional(oneOf(MODES, mode)),
  expand: Type.Optional(Type.Boolean({ default: false, description: expand })),
  explain: Type.Optional(Type.Boolean({ default: false, description: explain })),
  page: Type.Optional(Type.Integer({ ...page, default: 1 })),
  page_size: Type.Optional(limit),
  filter: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'Conditions on metadata, all of which must hold: `{key: value}`, or `{key: {eq, ne, gt, gte, lt, lte, in, exists}}`. Dots in a key lead into objects; `\\.` is a dot of the key itself.',
        examples: [{ 'source.kind': 'mail', score: { gte: 3 } }],
      },
    ),
  ),
})

/** `POST /v1/memories/search/why`: a search, and the memory to look for in it. */
export const whyBody = Type.Object({
  ...Type.Omit(searchBody, ['page', 'explain']).properties,
  memory_id: uuid({ description: 'The memory that is, or is not, among the results.' }),
})

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const relevance = oneOf(['HIGH', 'MEDIUM', 'LOW'], { description: 'How well it fits the query.' })

const evidenceParts = (description: string) =>
  Type.Object(
    {
      words: Type.Number({ description: 'BM25, in units of the most a single term can give.' }),
      coverage: Type.Number({ description: "Share of the query's terms that it holds, by weight." }),
      proximity: Type.Number({ description: 'How near to each other it holds them.' }),
      meaning: Type.Number({ description: 'Cosine above that of unrelated texts.' }),
      entities: Type.Number({ description: 'How well it is tied to what the query names.' }),
    },
    { description },
  )

const place = (description: string) => Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description })

export const explanation = Type.Object(
  {
    score: Type.Number({ description: 'The score before rounding.' }),
    evidence: evidenceParts('What speaks for the memory by itself.'),
    weights: evidenceParts('What each part of the evidence is multiplied by.'),
    neighbours: Type.Array(
      Type.Object({
        memory_id: uuid({ description: 'A memory beside this one in its session.' }),
        distance: Type.Integer({ description: 'Places after it (positive) or before it (negative).' }),
        weight: Type.Number({ description: 'The share of its evidence that is added.' }),
        evidence: Type.Number({ description: 'Its own weighted evidence.' }),
      }),
      { description: 'Memories beside it in its session that speak for it.' },
    ),
    session: Type.Union(
      [
        Type.Object({
          memory_id: uuid({ description: 'The other memory of its session that fits best by itself.' }),
          weight: Type.Number({ description: 'The share of its evidence that is added.' }),
          evidence: Type.Number({ description: 'Its own weighted evidence.' }),
        }),
        Type.Null(),
      ],
      { description: 'What its session as a whole speaks for it; null without another result of the session.' },
    ),
    factors: Type.Object(
      {
        speaker: Type.Number({ description: 'Less than 1 when somebody else speaks than the one the query names.' }),
        asking: Type.Number({ description: 'Less than 1 when the text asks and does not tell.' }),
        answer: Type.Number({ description: 'More than 1 when it tells the kind of thing the query asks for.' }),
        time: Type.Number({ description: 'How its time fits the times that the query names.' }),
      },
      { description: 'What the evidence is multiplied by.' },
    ),
    feedback: Type.Number({ minimum: -1, maximum: 1, description: 'What was said about it for this query.' }),
    recency: Type.Number({ minimum: 0, maximum: 1, description: '1 when new, half every 30 days.' }),
    priority: Type.Integer({ minimum: -1, maximum: 1, description: '-1 for LOW, 0 for MEDIUM, 1 for HIGH.' }),
    balance: Type.Object(
      {
        recency: Type.Number({ description: 'How much recency counts.' }),
        priority: Type.Number({ description: 'How much priority counts.' }),
      },
      { description: 'How much both count.' },
    ),
    lifted: Type.Boolean({ description: 'A first result that holds every term was raised to 0.66.' }),
    ceiling: Type.Union([Type.Number(), Type.Null()], {
      description: 'On pages beyond the best 200 or so, which are ranked apart: the score that none there exceeds.',
    }),
    ranks: Type.Object(
      { words: place('Among the candidates by words.'), meaning: place('Among the candidates by meaning.') },
      { description: 'Its place in the lists that candidates were taken from.' },
    ),
    terms: Type.Array(
      Type.Object({
        term: Type.String({ description: 'A stem of the query that it holds.' }),
        occurrences: Type.Integer({ description: 'How often it holds it.' }),
        documents: Type.Integer({ description: 'Memories of the workspace that hold it.' }),
        weight: Type.Number({ description: 'Its inverse document frequency.' }),
      }),
      { description: "The query's terms that it holds." },
    ),
    cosine: Type.Union([Type.Number(), Type.Null()], { description: 'Cosine of query and memory.' }),
    entities: Type.Array(Type.String(), { description: 'Names in the query that tie the memory to it.' }),
  },
  { description: 'What the score was made of; docs/search.md has the formula.' },
)

const WHY_CODES = [
  'FOUND',
  'EXPIRED',
  'CONSOLIDATED',
  'FILTERED',
  'EXCLUDED',
  'NO_MATCH',
  'NOT_EMBEDDED',
  'BEYOND_LAST_PAGE',
] as const

export const whyAnswer = Type.Object({
  memory_id: uuid({ description: 'The memory asked about.' }),
  found: Type.Boolean({ description: 'Whether it is among the results.' }),
  rank: place('Place among the results.'),
  page: place('The page that shows it.'),
  total: Type.Integer({ minimum: 0, description: 'All matches, counted up to 1,000.' }),
  query_hash: Type.String({ description: 'Names this query in feedback.' }),
  score: Type.Union([Type.Number(), Type.Null()], {
    description: 'Its score, or the one it would have if it passed; null when it is not indexed.',
  }),
  relevance: Type.Union([relevance, Type.Null()], { description: 'How well it fits the query.' }),
  best_score: Type.Union([Type.Number(), Type.Null()], { description: 'Score of the first result.' }),
  reasons: Type.Array(
    Type.Object({
      code: oneOf(WHY_CODES, { description: 'A word for programs.' }),
      message: Type.String({ description: 'A sentence for people.' }),
    }),
    { description: 'Why it is, or is not, among the results.' },
  ),
  explanation: Type.Union([explanation, Type.Null()], { description: 'What its score is made of.' }),
})

const foundMemory = (added: TProperties) =>
  Type.Object({
    id: uuid({ description: "The memory's id." }),
    memory: Type.String({ description: 'The text.' }),
    user_id: Type.String({ description: 'Whose memory it is.' }),
    agent_id: textOrNull('The agent that stored it.'),
    session_id: textOrNull('The conversation it comes from.'),
    priority: oneOf(PRIORITIES, { description: 'What counts more is ranked higher.' }),
    status: oneOf(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'], { description: 'How far its processing is.' }),
    categories: Type.Array(Type.String(), { description: 'Its categories.' }),
    metadata: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
      description: 'The JSON object that was stored with it.',
    }),
    workspace_id: uuid({ description: 'The workspace it lies in.' }),
    source: oneOf(['API', 'INGEST', 'TEMPLATE', 'CONVERSATION', 'IMPORT'], { description: 'The way it came in.' }),
    relevance,
    score: Type.Number({ minimum: 0, maximum: 1, description: 'Comparable within one answer.' }),
    explanation: Type.Optional(explanation),
    created_at: Type.String({ format: 'date-time', description: 'When it was stored.' }),
    updated_at: Type.String({ format: 'date-time', description: 'When it was last changed.' }),
    ...added,
  })

/** @param added what other plugins add to memories */
export const searchAnswer = (added: TProperties = {}) =>
  Type.Object({
    data: Type.Array(foundMemory(added), { description: 'The results of the page, best first.' }),
    total: Type.Integer({ minimum: 0, description: 'All matches, counted up to 1,000.' }),
    page: Type.Integer({ description: 'The page, from 1.' }),
    page_size: Type.Integer({ description: 'Items on a page.' }),
    query_hash: Type.String({ description: 'Names this query in feedback.' }),
    warning: Type.Optional(Type.String({ description: 'Says what the search had to do without.' })),
  })
