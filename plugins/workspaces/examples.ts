/** Answers as the reference shows them. */

const NOW = '2026-03-01T09:30:00.000Z'

export const workspaceExample = {
  id: '3f0a8c1e-2d7b-4a45-8a9e-6f1c2b7d9e10',
  name: 'Support agents',
  plan: 'unlimited',
  settings: {
    targets: { memories: null, requests: null, search_quality: null },
    consolidation: true,
    uniqueness: 'workspace',
    timezone: 'UTC',
    secrets: 'keep',
    conversation_instructions: null,
    task_ttl_days: null,
    language: 'en',
    daily_model_tokens: null,
    retention_days: null,
  },
  mode: 'live',
  test_workspace_id: '5a1b9d2f-3e8c-4b56-9baf-7a2d3c8e0f21',
  created_at: NOW,
  updated_at: NOW,
}

export const keyExample = {
  id: '7c2e4f60-91ab-4c3d-8e5f-60718293a4b5',
  name: 'Production agent',
  prefix: 'mn_live_8Qd2',
  permissions: ['memory.read', 'memory.write'],
  workspace_id: workspaceExample.id,
  workspace_ids: [],
  mode: 'live',
  user_id: null,
  agent_id: null,
  expires_at: null,
  last_used_at: null,
  created_at: NOW,
}

export const secretKeyExample = { ...keyExample, key: 'mn_live_8Qd2…' }

export const tokenExample = { token: 'mn_live_8Qd2…', expires_at: '2026-03-01T10:30:00.000Z' }

export const permissionsExample = {
  groups: [{ name: 'Memory', permissions: [{ name: 'memory.read', description: 'List, search and view memories.' }] }],
}

/** A page with one item on it. */
export function pageExampleOf(item: object) {
  return { data: [item], total: 1, page: 1, page_size: 20 }
}

export const memberExample = {
  id: '6f1c9a52-8f0e-4b57-9f6e-3d1f3c1e7a10',
  status: 'ACTIVE',
  email: 'bob@example.com',
  name: 'bob',
  role: 'editor',
  expires_at: null,
  created_at: NOW,
}

export const invitationExample = {
  ...memberExample,
  status: 'INVITED',
  name: null,
  expires_at: '2026-03-08T09:30:00.000Z',
  link: 'https://memory.example.com/console/#invitation=5mD1…',
}

export const acceptedExample = { workspace_id: workspaceExample.id, workspace_name: 'Support agents', role: 'editor' }
