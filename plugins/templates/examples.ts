/** Bodies and responses as the reference shows them. */

export const createExample = {
  name: 'New customer',
  description: 'What support should know from the first day on.',
  variables: [{ name: 'customer' }, { name: 'plan', required: false, default: 'pro' }],
  memories: [
    { memory: '{{customer}} is on the {{plan}} plan.', categories: ['work_context'], priority: 'HIGH' },
    { memory: 'Welcome {{customer}} by e-mail.', layer: 'TASK' },
  ],
}

const memories = [
  {
    memory: '{{customer}} is on the {{plan}} plan.',
    categories: ['work_context'],
    priority: 'HIGH',
    metadata: null,
    layer: 'RAW',
  },
  { memory: 'Welcome {{customer}} by e-mail.', categories: [], priority: 'MEDIUM', metadata: null, layer: 'TASK' },
]

export const templateExample = {
  id: '4c7b1e9a-0f52-4d83-b6a1-9e2d7c5f8034',
  name: 'New customer',
  description: 'What support should know from the first day on.',
  variables: [
    { name: 'customer', required: true, default: null },
    { name: 'plan', required: false, default: 'pro' },
  ],
  memories,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
}

export const valuesExample = { variables: { customer: 'Lindal Freight' } }

const { id, created_at, updated_at, ...builtIn } = templateExample
export const builtInExample = { data: [{ key: 'new-customer', ...builtIn }], total: 3, page: 1, page_size: 20 }

export const previewExample = {
  memories: [
    { ...memories[0], memory: 'Lindal Freight is on the pro plan.' },
    { ...memories[1], memory: 'Welcome Lindal Freight by e-mail.' },
  ],
}

export const applyExample = {
  memories_created: 1,
  memories_skipped: 1,
  memories: [
    {
      id: '0b8f6a0e-5c1d-4f35-9c55-0f3b1f9d6a21',
      memory: 'Lindal Freight is on the pro plan.',
      user_id: 'ada',
      agent_id: null,
      session_id: null,
      priority: 'HIGH',
      status: 'PENDING',
      categories: ['work_context'],
      metadata: null,
      workspace_id: '3f0a8c1e-2d7b-4a45-8a9e-6f1c2b7d9e10',
      source: 'TEMPLATE',
      relevance: 'NONE',
      ended_at: null,
      superseded_by: [],
      newer: [],
      created_at: '2026-03-01T09:31:00.000Z',
      updated_at: '2026-03-01T09:31:00.000Z',
    },
  ],
}
