/** Bodies and answers as the reference shows them. */

export const bodyExample = {
  messages: [
    { role: 'system', content: 'You are a helpful travel assistant.' },
    { role: 'user', content: 'Hi! I moved to Lisbon in May.', created_at: '2026-06-02T08:15:00.000Z' },
    { role: 'assistant', content: 'How nice! What do you like to do there?', created_at: '2026-06-02T08:15:04.000Z' },
    {
      role: 'user',
      content: 'I love surfing, but I am allergic to shellfish.',
      created_at: '2026-06-02T08:16:10.000Z',
    },
  ],
  user_id: 'ada',
  session_id: 'trip-planning',
  metadata: { channel: 'web' },
  instructions: 'Keep what the user likes and must avoid. Leave out prices.',
}

const base = {
  id: '5e1c9f0a-7b3d-4c86-9a52-8d4f6b1e2c73',
  user_id: 'ada',
  agent_id: null,
  session_id: 'trip-planning',
  messages: 4,
  error: null,
  created_at: '2026-06-02T08:16:12.000Z',
}

export const acceptedExample = {
  ...base,
  status: 'PENDING',
  memories: null,
  memories_created: 0,
  memories_known: 0,
  extracted_by: [],
  updated_at: '2026-06-02T08:16:12.000Z',
}

export const completedExample = {
  ...base,
  status: 'COMPLETED',
  memories: ['0b8f6a0e-5c1d-4f35-9c55-0f3b1f9d6a21', '7a2d4c18-3e5f-4b90-8c61-1d9e7f2a5b34'],
  memories_created: 2,
  memories_known: 0,
  extracted_by: ['local'],
  updated_at: '2026-06-02T08:16:13.000Z',
}

const rehearsed = {
  user_id: 'ada',
  agent_id: null,
  session_id: 'trip-planning',
  priority: 'MEDIUM',
  categories: [],
  source: 'CONVERSATION',
}

export const rehearsalExample = {
  memories: [
    {
      memory: 'I moved to Lisbon in May.',
      ...rehearsed,
      metadata: { channel: 'web', turn: 1, role: 'user', said_at: '2026-06-02T08:15:00.000Z' },
    },
    {
      memory: 'I love surfing, but I am allergic to shellfish.',
      ...rehearsed,
      metadata: { channel: 'web', turn: 3, role: 'user', said_at: '2026-06-02T08:16:10.000Z' },
    },
  ],
  extracted_by: ['local'],
}
