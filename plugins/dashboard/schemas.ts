import { instant, oneOf, pageParameters, Type, text, uuid } from 'mneme/plugin'
import { ID_MAX } from '../memories/contract.ts'
import { DAYS_STANDARD } from './figures/period.ts'

const days = (meaning: string, leftOut = String(DAYS_STANDARD)) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 365,
      description: `${meaning}; ${leftOut} when left out. \`start_date\` wins over it.`,
    }),
  )
const range = {
  start_date: Type.Optional(
    instant({
      description:
        'The beginning of the period; a date alone is its first instant in `timezone`, a time without offset is in UTC.',
    }),
  ),
  end_date: Type.Optional(
    instant({
      description:
        'The end of the period, now when left out; a date alone includes the whole day, week, month or year that it names.',
    }),
  ),
  timezone: Type.Optional(
    text({ minLength: 1, maxLength: 64, description: 'An IANA time zone in which days begin; UTC when left out.' }),
  ),
}
const period = {
  days: days('A rolling window: so many times 24 hours up to now, or so many days of `timezone` before `end_date`'),
  ...range,
}
const limit = (standard: number, what: string) =>
  Type.Integer({ minimum: 1, maximum: 100, default: standard, description: `${what} at the most.` })

export const periodQuery = Type.Object(period)
export const chartQuery = Type.Object({
  days: days('Whole days of `timezone`; the last is today, or that of `end_date`'),
  ...range,
  granularity: oneOf(['day', 'week', 'month'] as const, {
    default: 'day',
    description: 'What a point stands for. A week is shown under its Monday, a month under its first day.',
  }),
})
export const topQuery = Type.Object({ ...period, limit: limit(20, 'Queries') })
export const diagnosisQuery = Type.Object({ ...period, limit: limit(10, 'Queries of each list') })
export const activityQuery = Type.Object({
  days: days('Only what happened in so many days', 'all that is kept'),
  ...range,
  event_type: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 100,
      description: 'Only events of these types.',
    }),
  ),
  user_id: Type.Optional(text({ minLength: 1, maxLength: ID_MAX, description: 'Only events of this user.' })),
  limit: limit(20, 'Events on a page'),
  page: pageParameters.page,
})

const count = (description: string) => Type.Integer({ description })
const number = (description: string) => Type.Number({ description })
const time = (description: string) => Type.String({ format: 'date-time', description })
const orNull = (schema: ReturnType<typeof Type.String> | ReturnType<typeof Type.Number>, description: string) =>
  Type.Union([schema, Type.Null()], { description })
const date = Type.String({ description: 'The day, `YYYY-MM-DD`; a week’s Monday, a month’s first.' })

const comparison = {
  current: number('In the period.'),
  previous_period: number('In the period of the same length just before.'),
  delta_pct: orNull(
    Type.Number(),
    'The change in per cent; null where there was nothing before, or nothing is measured now.',
  ),
  direction: oneOf(['UP', 'DOWN'], { description: 'UP where both are equal.' }),
}
const judged = (description: string) =>
  Type.Object(
    {
      ...comparison,
      target: orNull(Type.Number(), 'The workspace setting; null without one.'),
      status: oneOf(['OK', 'WARNING', 'CRITICAL'], {
        description: 'WARNING below 90 % of the target, CRITICAL below 70 %; OK without one.',
      }),
    },
    { description },
  )
const limitOf = (what: string) => orNull(Type.Number(), `${what} that the plan allows; null: without limit.`)

export const summaryResponse = Type.Object({
  period: Type.Object({ start: time('Its first instant.'), end: time('Its end.') }, { description: 'The period.' }),
  memories: judged('Memories created.'),
  requests: judged('API requests.'),
  search_quality: judged('The average score of first results, from 0 to 1; 0 without a search.'),
  zero_result_rate: Type.Object(comparison, { description: 'The share of searches without a result, from 0 to 1.' }),
  memories_masked: Type.Object(comparison, { description: 'Memories stored or changed with secrets masked.' }),
  quota: Type.Object(
    {
      memories_used: count('Memories there are.'),
      memories_limit: limitOf('Memories'),
      requests_used: count('Requests this month (UTC), counted at the same instant as `requests`.'),
      requests_limit: limitOf('Requests a month'),
      tokens_used: count('Tokens this month.'),
      tokens_limit: limitOf('Tokens a month'),
    },
    { description: 'What the plan allows, and how much of it is used.' },
  ),
})

export const activityPage = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          id: uuid({ description: "The event's id." }),
          event_type: Type.String({ description: 'The kind of event, as `memory.created`.' }),
          label: Type.String({ description: 'The same for people.' }),
          user_id: orNull(Type.String(), 'The user it concerns.'),
          resource_id: orNull(Type.String(), 'What it happened to.'),
          actor: Type.Union(
            [
              Type.Object({
                type: oneOf(['account', 'key'], { description: 'A signed-in account, or an API key.' }),
                name: orNull(
                  Type.String(),
                  'The e-mail address of the account, or the name of the key; null once it is gone.',
                ),
              }),
              Type.Null(),
            ],
            { description: 'Who did it; null for what happened by itself.' },
          ),
          created_at: time('When it happened.'),
        },
        { title: 'Activity' },
      ),
      { description: 'Events, newest first.' },
    ),
    total: count('All there are; those of one user, or of a period, are counted up to 10,000.'),
    page: count('This page.'),
    page_size: count('Events on a page.'),
  },
  { title: 'ActivityPage' },
)

export const countChart = Type.Array(Type.Object({ date, count: count('How many.') }, { title: 'CountPoint' }), {
  description: 'Every point of the period, also those with nothing.',
})
export const tokenChart = Type.Array(
  Type.Object(
    {
      date,
      input_tokens: count('Tokens that models read.'),
      output_tokens: count('Tokens that models wrote.'),
      total: count('Both together.'),
    },
    { title: 'TokenPoint' },
  ),
  { description: 'Every point of the period, also those with nothing.' },
)

export const qualityResponse = Type.Object({
  avg_search_score: number('The average score of first results, from 0 to 1; 0 without a search.'),
  zero_result_rate: number('The share of searches without a result, from 0 to 1.'),
  total_searches: count('Searches.'),
  token_usage_by_operation: Type.Record(
    Type.String(),
    Type.Object({ input: count('Tokens read.'), output: count('Tokens written.') }),
    {
      description:
        'Tokens by operation: `embedding` (of memories), `enrichment`, `consolidation` (of memories to knowledge), `search` (embedding and reranking) and `query` (related terms).',
    },
  ),
})

export const categoriesResponse = Type.Object({
  categories: Type.Array(
    Type.Object({
      name: Type.String({ description: 'The category; `uncategorized` counts memories without one, too.' }),
      count: count(
        'Memories created in the period, as they stood at the end of that day: what was deleted or changed later still counts.',
      ),
      pct: number('Its share of all, in per cent.'),
    }),
    { description: 'The 200 largest, the largest first. Of each day the 200 largest are known.' },
  ),
  total: count(
    'The sum of all counts, also of categories that are not shown. A memory with several counts under each.',
  ),
})

const query = Type.String({ description: 'As it was last typed.' })
const searches = count('How often it was searched for.')
const score = number('The average score of its first result, from 0 to 1.')
const advice = Type.String({ description: 'What can be done about it.' })

export const topResponse = Type.Object({
  data: Type.Array(Type.Object({ query, count: searches, avg_score: score }), {
    description: 'The most frequent first.',
  }),
  total: count('Queries in the period as far as they are known, also those whose text is no longer kept.'),
})

export const diagnosisResponse = Type.Object({
  worst_queries: Type.Array(Type.Object({ query, count: searches, avg_score: score, advice }), {
    description: 'Queries with the lowest scores, the lowest first.',
  }),
  zero_result_queries: Type.Array(
    Type.Object({
      query,
      count: count('How often it had no result.'),
      reason: oneOf(['FILTER_TOO_NARROW', 'EXCLUDED', 'MATCHES_NOW', 'EXPIRED', 'NO_MATCH'], {
        description:
          'By the newest search of it without a result: without its filters it finds memories; only words that it excludes keep them from it; it had no filter that is known of, and finds memories by now; a memory with its words has expired; or no memory matches.',
      }),
      advice,
    }),
    { description: 'Queries that had no result, the most frequent first.' },
  ),
})

export const BACKLOG_KINDS = ['memories', 'graph', 'knowledge', 'imports', 'deliveries', 'exports'] as const

const backlogOf = (description: string) =>
  Type.Object(
    {
      waiting: count('What waits, or is under way.'),
      failed: count('What failed for good and is kept.'),
      oldest_at: orNull(Type.String({ format: 'date-time' }), 'Since when the oldest waits; null where nothing does.'),
    },
    { description },
  )

export const backlogResponse = Type.Object(
  {
    memories: backlogOf('Memories that are to be processed.'),
    graph: backlogOf('Memories that are to be read for the knowledge graph.'),
    knowledge: backlogOf('Categories of users whose knowledge is to be compiled.'),
    imports: backlogOf('Files, pages and archives that are being imported.'),
    deliveries: backlogOf('Deliveries of webhooks.'),
    exports: backlogOf('Exports that are being written.'),
  },
  {
    additionalProperties: backlogOf('Work of other plugins.'),
    description: 'What waits by kind. Plugins may add kinds, as `conversations`.',
  },
)

export const alertsResponse = Type.Array(
  Type.Object(
    {
      id: uuid({ description: "The alert's id." }),
      type: oneOf(
        [
          'QUOTA_WARNING',
          'SEARCH_QUALITY_DROP',
          'ZERO_RESULT_SPIKE',
          'PROCESSING_FAILURES',
          'PROCESSING_BACKLOG',
          'WEBHOOK_FAILING',
        ],
        { description: 'What it is about.' },
      ),
      severity: oneOf(['INFO', 'WARNING', 'CRITICAL'], { description: 'How much it matters.' }),
      title: Type.String({ description: 'A few words.' }),
      message: Type.String({ description: 'What is the matter.' }),
      created_at: time('When it was raised.'),
      resolved_at: orNull(Type.String({ format: 'date-time' }), 'When it was over; null while it lasts.'),
    },
    { title: 'Alert' },
  ),
  { description: 'Alerts that last, then those of the period that are over; the newest of each first.' },
)
