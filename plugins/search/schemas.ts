import { type TProperties, Type } from '@sinclair/typebox'
import { oneOf, pageParameters, text, uuid } from 'mneme/plugin'
import {
  filterFields,
  memoryCore,
  memoryHolding,
  memoryTimes,
  minScoreField,
  QUERY_MAX,
  SEARCH_MODES,
  timezoneField,
} from '../memories/contract.ts'
import { feedback } from './ranking/feedback.ts'
import { neighbours } from './ranking/neighbours.ts'
import { priority } from './ranking/priority.ts'
import { recency } from './ranking/recency.ts'
import { session } from './ranking/session.ts'
import type { Signal } from './ranking/signal.ts'
import { EVIDENCE, FACTORS } from './ranking/signals.ts'

export const PAGE_SIZE_DEFAULT = 10

const limit = Type.Integer({ minimum: 1, maximum: 100, description: 'Results on a page; 10 by default.' })
const pageSize = Type.Integer({ minimum: 1, maximum: 100, description: 'Another name for `limit`; give one of them.' })

/** Both search routes accept these fields. */
const searchFields = {
  query: text({
    minLength: 1,
    maxLength: QUERY_MAX,
    notBlank: true,
    description: 'The search text; in keyword mode `"phrases"`, `-exclusions` and `OR` are operators.',
    examples: ['Which tea does Ada like?'],
  }),
  ...filterFields,
  min_score: minScoreField,
  timezone: timezoneField,
  limit: Type.Optional(limit),
}

const mode = { description: 'By words and meaning, by meaning, or by exact words.', default: 'hybrid' as const }
const explain = 'Adds to each result the parts of its score.'
const expand = 'Adds related terms in hybrid and semantic mode.'
const { page } = pageParameters

export const searchQuery = Type.Object({
  ...searchFields,
  mode: oneOf(SEARCH_MODES, mode),
  expand: Type.Boolean({ default: false, description: expand }),
  explain: Type.Boolean({ default: false, description: explain }),
  page,
  page_size: Type.Optional(pageSize),
})

export const searchBody = Type.Object({
  ...searchFields,
  mode: Type.Optional(oneOf(SEARCH_MODES, mode)),
  expand: Type.Optional(Type.Boolean({ default: false, description: expand })),
  explain: Type.Optional(Type.Boolean({ default: false, description: explain })),
  page: Type.Optional(page),
  page_size: Type.Optional(pageSize),
  filter: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'Conditions on metadata, all of which must hold: `{key: value}`, or `{key: {eq, ne, gt, gte, lt, lte, in, exists}}`. Dots in a key lead into objects, unless a memory has the whole as one key; `\\.` is a literal dot.',
        examples: [{ 'source.kind': 'mail', score: { gte: 3 } }],
      },
    ),
  ),
})

/** The body of `POST /v1/memories/search/why`: a search and the memory to look for in its results. */
export const whyBody = Type.Object({
  ...Type.Omit(searchBody, ['page', 'explain']).properties,
  memory_id: uuid({ description: 'The memory to look for in the results.' }),
})

const relevance = oneOf(['HIGH', 'MEDIUM', 'LOW'], { description: 'How well it fits the query.' })

/** The fields of some signals. */
const partsOf = (signals: readonly Signal[]) => Object.fromEntries(signals.map(({ id, explain: field }) => [id, field]))

const place = (description: string) => Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description })

export const explanation = Type.Object(
  {
    score: Type.Number({ description: 'The score before rounding.' }),
    evidence: Type.Object(partsOf(EVIDENCE), { description: 'The evidence of the memory by itself.' }),
    weights: Type.Object(partsOf(EVIDENCE), { description: 'The factor of each part of the evidence.' }),
    neighbours: neighbours.explain,
    session: session.explain,
    replaces: Type.Union(
      [
        Type.Object({
          memory_id: uuid({ description: 'A memory that told what held before.' }),
          evidence: Type.Number({
            description: 'Its weighted evidence, which counts where that of the memory itself is less.',
          }),
        }),
        Type.Null(),
      ],
      {
        description:
          'What it tells holds in place of what another memory told; null where there is none, or the query asks for the past.',
      },
    ),
    factors: Type.Object(partsOf(FACTORS), { description: 'Factors that multiply the evidence.' }),
    feedback: feedback.explain,
    recency: recency.explain,
    priority: priority.explain,
    balance: Type.Object(
      {
        recency: Type.Number({ description: 'The weight of recency.' }),
        priority: Type.Number({ description: 'The weight of priority.' }),
      },
      { description: 'The weights of both.' },
    ),
    lifted: Type.Boolean({ description: 'True if a first result that contains every term was raised to 0.66.' }),
    ceiling: Type.Union([Type.Number(), Type.Null()], {
      description: 'The bound of scores beyond the best 200 or so, which are ranked separately; null before.',
    }),
    ranks: Type.Object(
      { words: place('Among the candidates by words.'), meaning: place('Among the candidates by meaning.') },
      { description: 'Its place in the lists of candidates.' },
    ),
    terms: Type.Array(
      Type.Object({
        term: Type.String({ description: 'A stem of the query that it contains.' }),
        matched: Type.Array(Type.String(), {
          description: 'The stems by which it contains it: the term, the same word in another language, a correction.',
        }),
        occurrences: Type.Integer({ description: 'The number of their occurrences.' }),
        documents: Type.Integer({
          description:
            'The number of memories of the workspace that contain it; of a corrected word the number that its lower weight stands for.',
        }),
        weight: Type.Number({ description: 'Its inverse document frequency.' }),
      }),
      { description: "The query's terms that it contains." },
    ),
    cosine: Type.Union([Type.Number(), Type.Null()], { description: 'Cosine of query and memory.' }),
    passage: Type.Union(
      [
        Type.Object({
          start: Type.Integer({ minimum: 0, description: 'Where it begins in the text, about, in UTF-16 units.' }),
          end: Type.Integer({ minimum: 0, description: 'Where it ends, about; exclusive.' }),
          of: Type.Integer({ minimum: 2, description: 'The number of passages of the text.' }),
          cosine: Type.Number({ description: 'Cosine of query and passage.' }),
          counted: Type.Number({ description: 'The cosine less what the best of so many passages has by chance.' }),
        }),
        Type.Null(),
      ],
      { description: 'The nearest passage of a long text; null when none is near, or the text is short.' },
    ),
    entities: Type.Array(Type.String(), { description: 'Names that connect the query and the memory.' }),
    rerank: Type.Optional(
      Type.Object(
        {
          model: Type.String({ description: 'The reranker.' }),
          score: Type.Union([Type.Number(), Type.Null()], {
            description: 'On a scale of its own; null where it did not judge the memory, or was unavailable.',
          }),
          rank: Type.Integer({ minimum: 1, description: 'The place before reranking.' }),
        },
        { description: 'Only with a reranker: what moved the result to its place.' },
      ),
    ),
  },
  { title: 'ScoreExplanation', description: 'The parts of the score; docs/search.md has the formula.' },
)

const WHY_CODES = [
  'FOUND',
  'EXPIRED',
  'CONSOLIDATED',
  'FILTERED',
  'EXCLUDED',
  'NO_MATCH',
  'NOT_EMBEDDED',
  'BELOW_MIN_SCORE',
  'BEYOND_LAST_PAGE',
] as const

export const whyResponse = Type.Object({
  memory_id: uuid({ description: 'The requested memory.' }),
  found: Type.Boolean({ description: 'Whether it is among the results.' }),
  rank: place('Place among the results.'),
  page: place('The page that shows it.'),
  total: Type.Integer({ minimum: 0, description: 'The number of matches, counted up to 1,000.' }),
  query_hash: Type.String({ description: 'Refers to this query in feedback.' }),
  score: Type.Union([Type.Number(), Type.Null()], {
    description: 'Its score, or the one it would have if it passed; null when it is not indexed.',
  }),
  relevance: Type.Union([relevance, Type.Null()], { description: 'How well it fits the query.' }),
  best_score: Type.Union([Type.Number(), Type.Null()], { description: 'Score of the first result.' }),
  reasons: Type.Array(
    Type.Object({
      code: oneOf(WHY_CODES, { description: 'A stable code for programs.' }),
      message: Type.String({ description: 'A sentence for people.' }),
    }),
    { description: 'The reasons why it is, or is not, among the results.' },
  ),
  explanation: Type.Union([explanation, Type.Null()], { description: 'The parts of its score.' }),
})

const foundMemory = (added: TProperties) =>
  Type.Object(
    {
      ...memoryCore,
      relevance,
      score: Type.Number({ minimum: 0, maximum: 1, description: 'Comparable within one response.' }),
      explanation: Type.Optional(explanation),
      ...memoryHolding,
      ...memoryTimes,
      ...added,
    },
    { title: 'FoundMemory' },
  )

/** @param added fields of other plugins on each memory */
export const searchResponse = (added: TProperties = {}) =>
  Type.Object(
    {
      data: Type.Array(foundMemory(added), { description: 'The results of the page, best first.' }),
      total: Type.Integer({ minimum: 0, description: 'The number of matches, counted up to 1,000.' }),
      page: Type.Integer({ description: 'The page, from 1.' }),
      page_size: Type.Integer({ description: 'Items on a page.' }),
      query_hash: Type.String({ description: 'Refers to this query in feedback.' }),
      warning: Type.Optional(Type.String({ description: 'Tells what was unavailable.' })),
    },
    { title: 'FoundMemoryPage' },
  )

/** The example response to a search in the reference. */
export const searchExample = {
  data: [
    {
      id: '01970c5e-8a54-7c1e-9b1f-3c1f6f0a2b11',
      memory: 'Ada drinks green tea in the morning.',
      user_id: 'ada',
      agent_id: null,
      session_id: null,
      priority: 'MEDIUM',
      status: 'COMPLETED',
      categories: ['preferences'],
      metadata: null,
      workspace_id: '01970c5e-0000-7c1e-9b1f-3c1f6f0a2b11',
      source: 'API',
      relevance: 'HIGH',
      score: 0.7421,
      ended_at: null,
      superseded_by: [],
      newer: [],
      created_at: '2026-08-01T09:00:00.000Z',
      updated_at: '2026-08-01T09:00:00.000Z',
    },
  ],
  total: 1,
  page: 1,
  page_size: 10,
  query_hash: '5f1c0b6f9d2e4a7788a1c3d5e7f90b1c',
}
