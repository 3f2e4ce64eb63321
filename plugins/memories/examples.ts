/** Example responses for the reference. */

const NOW = '2026-03-01T09:30:00.000Z'

const core = {
  id: '0b8f6a0e-5c1d-4f35-9c55-0f3b1f9d6a21',
  memory: 'Ada prefers concise answers and works from Lisbon.',
  user_id: 'ada',
  agent_id: null,
  session_id: null,
  priority: 'HIGH',
  status: 'COMPLETED',
  categories: ['preferences', 'work_context'],
  metadata: { source: 'onboarding' },
  workspace_id: '3f0a8c1e-2d7b-4a45-8a9e-6f1c2b7d9e10',
  source: 'API',
}
const lifetime = { layer: 'RAW', expires_at: null }
const holding = { ended_at: null, superseded_by: [], newer: [] }
const times = { created_at: NOW, updated_at: NOW }

export const storedExample = { ...core, status: 'PENDING', ...lifetime, ...times }

export const fullExample = {
  ...core,
  ...lifetime,
  workspace: { id: core.workspace_id, name: 'Default' },
  access_count: 3,
  last_accessed_at: NOW,
  feedback: { positive: 2, negative: 0, neutral: 0, last_signal: 'POSITIVE', last_feedback_at: NOW },
  consolidated_into: null,
  error: null,
  ...holding,
  ...times,
}

export const pageExample = {
  data: [{ ...core, relevance: 'NONE', ...holding, ...times }],
  total: 1,
  page: 1,
  page_size: 10,
}

export const historyExample = {
  data: [
    {
      id: '9d3e7c52-1a64-4f0b-8f7e-2c5b8a6d4e33',
      memory_id: core.id,
      event: 'UPDATED',
      old_content: 'Ada works from Porto.',
      new_content: core.memory,
      created_at: NOW,
    },
  ],
  total: 1,
  page: 1,
  page_size: 20,
}

export const batchExample = {
  results: [
    { status: 201, memory: storedExample },
    {
      status: 409,
      error: {
        status_code: 409,
        error: 'Conflict',
        message: 'The memory 0b8f5a52-8d6c-4e0e-9a51-1c8f8f0f7f11 has this content already; change or delete that one.',
        error_code: 'DUPLICATE_MEMORY',
      },
    },
  ],
}
