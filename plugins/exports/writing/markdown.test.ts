import { expect, test } from 'bun:test'
import { marked, type Token } from 'marked'
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
  expect(quotes).toEqual([text, 'plain', text].map(each => each.replace(/\r\n?/g, '\n').replaceAll('<', '&lt;')))
  expect(marked.parse(file)).toContain(`<code>${JSON.stringify(metadata).replaceAll('"', '&quot;')}</code>`)
})

/** Reads a memory as a reader does: the raw HTML of the file, and the text that is shown of the memory. */
function readOf(text: string) {
  const file = markdownWriter().memory(memoryOf(text)) + markdownWriter().memory(memoryOf('after'))
  const html: string[] = []
  const tokens = marked.lexer(file)
  marked.walkTokens(tokens, (token: Token) => {
    if (token.type === 'html') html.push(...token.raw.split('\n').filter(line => !/<\/?small>/.test(line)))
  })
  const shown = marked.parse(file, { async: false }).split('<blockquote>')[1]?.split('</blockquote>')[0] ?? ''
  return { html, headings: tokens.filter(({ type }) => type === 'heading').length, shown }
}

test.each([
  ['a < b and <!-- open', '<p>a &lt; b and &lt;!-- open</p>'],
  ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
  ['# <b>\n- <i onclick=x>\n\n<!-- x -->', '<h1>&lt;b&gt;</h1>'],
  ['\\<b> \\\\<i> \\\\\\<u>', '<p>&lt;b&gt; \\&lt;i&gt; \\&lt;u&gt;</p>'],
  ['see <https://example.com/a> now', '<p>see <a href="https://example.com/a">'],
  ['<javascript:alert(1)> <?php ?> <![CDATA[x]]>', '&lt;javascript:alert(1)'],
])('raw HTML of %p is text', (text, shown) => {
  const read = readOf(text)
  expect([read.html, read.headings]).toEqual([[], 2])
  expect(read.shown).toContain(shown)
})

test.each([
  ['`<b>` and ``<i>`</i>``', '<code>&lt;b&gt;</code> and <code>&lt;i&gt;`&lt;/i&gt;</code>'],
  ['- list\n\n```html\n<div>\n```\n<b>', '<code class="language-html">&lt;div&gt;\n</code>'],
  ['~~~\n<div>\n````\n<!-- x\n', '<code>&lt;div&gt;\n````\n&lt;!-- x\n</code>'],
  ['    <div>\n\n    <i>', '<code>&lt;div&gt;\n\n&lt;i&gt;\n</code>'],
])('code of %p shows what stands in it', (text, shown) => {
  const read = readOf(text)
  expect([read.html, read.headings]).toEqual([[], 2])
  expect(read.shown).toContain(shown)
})

test('no way of writing it opens an element or a comment', () => {
  const pieces = [
    '<b>',
    '<!-- ',
    '-->',
    '`',
    '``',
    '```',
    '~~~',
    '\n',
    '\n\n',
    '    ',
    '  ',
    '- ',
    '> ',
    '1. ',
    '\\',
    '|',
    'a',
    ' ',
    '[^1]: ',
    '\t',
  ]
  let state = 7
  const next = () => (state = (state * 48_271) % 2_147_483_647)
  for (let n = 0; n < 3000; n++) {
    const text = Array.from({ length: 2 + (next() % 14) }, () => pieces[next() % pieces.length]).join('')
    expect([text, readOf(text).html]).toEqual([text, []])
  }
})

test('names and categories open none either, also beside the code of metadata', () => {
  const memory = { ...memoryOf('plain', { note: '<b> `x' }), user_id: '<!-- `', categories: ['`', '<i>'] }
  const file = markdownWriter().memory(memory)
  const html: string[] = []
  marked.walkTokens(marked.lexer(file), (token: Token) => void (token.type === 'html' && html.push(token.raw)))
  expect(html).toEqual(['<small>', '</small>'])
  const record = {
    type: 'knowledge',
    id: '1',
    category: '<b>',
    user_id: 'ada',
    content: '- A <i>. <!-- memories: 1, 2 -->\n<!-- open',
  }
  expect(markdownWriter().record(record)).toContain('> - A &lt;i>. <!-- memories: 1, 2 -->\n> &lt;!-- open')
})
