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
