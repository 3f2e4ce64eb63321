/** Answers as the reference shows them. */

const MEMORY = '0b8f6a0e-5c1d-4f35-9c55-0f3b1f9d6a21'
const OTHER = '01970c5e-8a54-7c1e-9b1f-3c1f6f0a2b11'

const content = `# Preferences

- Ada prefers concise answers. <!-- memories: ${MEMORY}, ${OTHER} -->
- She drinks green tea in the morning. <!-- memories: ${OTHER} -->
`

export const entryExample = {
  id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  user_id: 'ada',
  category: 'preferences',
  content,
  version: 3,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-04T17:05:12.250Z',
}

export const pageExample = { data: [entryExample], total: 1, page: 1, page_size: 20 }

export const editExample = { content: `${content}\n## Notes\n\nAsk before the meeting.\n`, version: 3 }

export const editedExample = { ...entryExample, content: editExample.content, version: 4 }

export const versionsExample = {
  data: [
    { version: 4, content: editExample.content, created_at: '2026-03-04T17:05:12.250Z' },
    { version: 3, content, created_at: '2026-03-01T09:30:00.000Z' },
  ],
  total: 2,
  page: 1,
  page_size: 20,
}

export const schemaExample = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Full name' },
    home: { type: 'object', properties: { city: { type: 'string', description: 'City of residence' } } },
    employer: { type: 'string' },
    tools: { type: 'array', items: { type: 'string' }, description: 'Programming languages and tools in use' },
    age: { type: 'integer', minimum: 0, maximum: 130 },
  },
}
