/** Answers as the reference shows them. */

const NOW = '2026-03-01T09:30:00.000Z'
const ada = { id: '5b1f6c0e-7a3d-4c61-9c0e-2f4b8d1a6e01', name: 'Ada Moreau', type: 'PERSON' }
const initech = { id: '5b1f6c0e-7a3d-4c61-9c0e-2f4b8d1a6e02', name: 'Initech', type: 'ORGANIZATION' }
const grace = { id: '5b1f6c0e-7a3d-4c61-9c0e-2f4b8d1a6e03', name: 'Grace', type: 'PERSON' }

const worksAt = {
  id: '7c2e9b1a-4d5f-4e8a-b7c6-1a2b3c4d5e01',
  type: 'WORKS_AT',
  weight: 0.94,
  current: true,
  valid_from: '2024-05-01T00:00:00.000Z',
  valid_to: null,
  memory_ids: ['0b8f6a0e-5c1d-4f35-9c55-0f3b1f9d6a21'],
}
const manages = {
  ...worksAt,
  id: '7c2e9b1a-4d5f-4e8a-b7c6-1a2b3c4d5e02',
  type: 'MANAGES',
  weight: 0.81,
  valid_from: null,
}

export const entityPageExample = {
  data: [{ ...ada, description: null, created_at: NOW }],
  total: 1,
  page: 1,
  page_size: 20,
}

export const entityExample = {
  ...ada,
  description: null,
  metadata: null,
  user_id: 'ada',
  aliases: ['Ada'],
  relationships_count: 2,
  related_memories_count: 7,
  created_at: NOW,
  updated_at: NOW,
}

export const relationshipsExample = {
  entity_id: ada.id,
  entity_name: ada.name,
  outgoing: [{ ...worksAt, target: initech }],
  incoming: [{ ...manages, source: grace }],
  outgoing_total: 1,
  incoming_total: 1,
}

export const foundExample = [{ ...initech, description: null, score: 0.83 }]

export const traversalExample = {
  nodes: [ada, initech, grace],
  edges: [
    { ...worksAt, source: ada.id, target: initech.id },
    { ...manages, source: grace.id, target: ada.id },
  ],
}

export const overviewExample = {
  nodes: [
    { ...ada, description: null, user_id: 'ada', is_user: true, relationships_count: 2, known_from: NOW },
    { ...initech, description: null, user_id: 'ada', is_user: false, relationships_count: 1, known_from: NOW },
  ],
  edges: [overviewEdge(worksAt, ada.id, initech.id)],
  total_nodes: 3,
  total_edges: 2,
}

function overviewEdge({ memory_ids, ...edge }: typeof worksAt, source: string, target: string) {
  return { ...edge, source, target, known_from: NOW, known_to: null }
}

export const questionExample = {
  answer: 'Ada Moreau works at Initech, since May 2024.',
  confidence: 0.9,
  entities_used: [ada, initech],
}
