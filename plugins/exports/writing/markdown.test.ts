import { expect, test } from 'bun:test'
import { marked } from 'marked'
import type { ArchivedMemory } from '../../memories/contract.ts'
import { markdownWriter } from './markdown.ts'

const NOW = '2026-01-01T00:00:00.000Z'
const memoryOf = (memory: string, metadata: ArchivedMemory['metadata'] = null): ArchivedMemory => ({
  id: '7d9f2f5e-6a40-4a6d-9d0b-3f1f5b8e2c11',
  memory,
  user_id: 'ada',
  agent_id: null,
  session_id: null,
  priority: 'MEDIUM',
  categories: [],
  metadata,
  layer: 'RAW',
  expires_at: null,
  source: 'API',
  revision: 1,
  consolidated_into: null,
  own_categories: null,
  own_priority: null,
  access_count: 0,
  last_accessed_at: null,
  feedback: null,
  created_at: NOW,
  updated_at: NOW,
  text_changed_at: NOW,
})

test.each([
  ['a fence that is never closed', '```js\nconst a = 1\n\nconst b = 2'],
  ['headings, one of them underlined', '# Mine\n\ntext\r\n\r\nAlso mine\r----'],
  ['a comment and an element that stay open', '<!-- never closed\n\n<details>'],
])('%s of a memory stays its own, and what follows is a heading again', (_, text) => {
  const writer = markdownWriter()
  const metadata = { code: 'a `b` and ``c' }
  const record = { type: 'knowledge', id: '1', category: 'work', user_id: 'ada', content: text }
  const file =
    [memoryOf(text, metadata), memoryOf('plain')].map(memory => writer.memory(memory)).join('') + writer.record(record)
  const tokens = marked.lexer(file)
  expect(tokens.filter(({ type }) => type === 'heading').map(token => 'text' in token && token.text)).toEqual([
    `${NOW}, ada`,
    `${NOW}, ada`,
    'work, ada',
  ])
  const quotes = tokens
    .filter(({ type }) => type === 'blockquote')
    .map(token => 'text' in token && String(token.text).trim())
  expect(quotes).toEqual([text, 'plain', text].map(each => each.replace(/\r\n?/g, '\n')))
  expect(marked.parse(file)).toContain(`<code>${JSON.stringify(metadata).replaceAll('"', '&quot;')}</code>`)
})
