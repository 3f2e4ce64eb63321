/** Responses as the reference shows them. */

export const summaryExample = {
  period: { start: '2026-02-01T00:00:00.000Z', end: '2026-03-02T15:20:00.000Z' },
  memories: { current: 420, previous_period: 350, delta_pct: 20, direction: 'UP', target: 500, status: 'WARNING' },
  requests: { current: 12_400, previous_period: 0, delta_pct: null, direction: 'UP', target: null, status: 'OK' },
  search_quality: {
    current: 0.71,
    previous_period: 0.74,
    delta_pct: -4.05,
    direction: 'DOWN',
    target: 0.75,
    status: 'OK',
  },
  zero_result_rate: { current: 0.04, previous_period: 0.05, delta_pct: -20, direction: 'DOWN' },
  memories_masked: { current: 3, previous_period: 2, delta_pct: 50, direction: 'UP' },
  quota: {
    memories_used: 1180,
    memories_limit: 250_000,
    requests_used: 9310,
    requests_limit: 2_000_000,
    tokens_used: 184_221,
    tokens_limit: 100_000_000,
  },
}

export const countChartExample = [
  { date: '2026-03-01', count: 12 },
  { date: '2026-03-02', count: 0 },
]

export const tokenChartExample = [{ date: '2026-03-01', input_tokens: 5120, output_tokens: 240, total: 5360 }]

export const qualityExample = {
  avg_search_score: 0.71,
  zero_result_rate: 0.04,
  total_searches: 812,
  token_usage_by_operation: { embedding: { input: 50_112, output: 0 }, enrichment: { input: 9120, output: 1204 } },
}

export const categoriesExample = {
  categories: [
    { name: 'preferences', count: 120, pct: 60 },
    { name: 'uncategorized', count: 80, pct: 40 },
  ],
  total: 200,
}

export const topExample = { data: [{ query: 'where does Ada live?', count: 31, avg_score: 0.82 }], total: 204 }

export const diagnosisExample = {
  worst_queries: [
    {
      query: 'shoe size',
      count: 4,
      avg_score: 0.24,
      advice:
        'Its best memories are only near in meaning: store what it asks for in its own words, or search with expand.',
    },
  ],
  zero_result_queries: [
    {
      query: 'invoice address',
      count: 3,
      reason: 'NO_MATCH',
      advice: 'No memory holds these words or is near them in meaning: store what it asks for.',
    },
  ],
}

export const activityExample = {
  id: '0195f3a0-7c1e-7d2a-9b44-6e0c2f5a8d13',
  event_type: 'memory.created',
  label: 'Memory created',
  user_id: 'ada',
  resource_id: '0b8f6a0e-5c1d-4f35-9c55-0f3b1f9d6a21',
  actor: { type: 'account', name: 'bob@example.com' },
  created_at: '2026-03-01T09:30:00.000Z',
}

export const alertExample = {
  id: '0195f3a0-7c1e-7d2a-9b44-6e0c2f5a8d14',
  type: 'QUOTA_WARNING',
  severity: 'WARNING',
  title: '84 % of the quota of requests is used',
  message: '1680000 of 2000000 requests are used this month.',
  created_at: '2026-03-01T09:30:00.000Z',
  resolved_at: null,
}

const nothingWaits = { waiting: 0, failed: 0, oldest_at: null }

export const backlogExample = {
  memories: { waiting: 6096, failed: 2, oldest_at: '2026-03-01T09:30:00.000Z' },
  graph: { waiting: 6100, failed: 0, oldest_at: '2026-03-01T09:29:12.000Z' },
  knowledge: { waiting: 14, failed: 0, oldest_at: '2026-03-01T09:41:00.000Z' },
  imports: { waiting: 1, failed: 0, oldest_at: '2026-03-01T09:28:00.000Z' },
  deliveries: nothingWaits,
  exports: nothingWaits,
}
