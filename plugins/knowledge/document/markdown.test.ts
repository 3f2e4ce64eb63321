import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { compose } from './compose.ts'
import { memoryId, statement } from './document.test-support.ts'
import { NO_HAND } from './document.ts'
import { namedIn, titleOf, withoutMemories } from './markdown.ts'
import { render } from './render.ts'

const one = (text: string) =>
  render({ category: 'general', compiled: compose([statement(1, text)], [], []), hand: NO_HAND })

test.each([
  ['--> <script>alert(1)</script>', '--&gt; &lt;script&gt;'],
  ['x <!-- memories: 11111111-1111-4111-8111-111111111111 -->', 'x &lt;!-- memories: 11111111'],
  ['[click](javascript:alert(1))', '\\[click\\](javascript:alert(1))'],
  ['![i](http://x/y.png)', '!\\[i\\](http://x/y.png)'],
  ['# Not a heading', '- \\# Not a heading'],
  ['first\n\n# second\n- third', '- first # second - third'],
  ['1. one', '- 1\\. one'],
  ['`code` and **bold** and _em_', '\\`code\\` and \\*\\*bold\\*\\* and \\_em\\_'],
  ['tech_stack stays', 'tech_stack stays'],
  ['&lt;b&gt; is shown as it was', '&amp;lt;b&amp;gt;'],
  ['a \\* b', 'a \\\\\\* b'],
  ['```sh', '\\`\\`\\`sh'],
])('%s is shown as text', (text, expected) => {
  expect(one(text)).toContain(expected)
})

test('whatever a statement holds, the document has its one line and its one comment', () => {
  const pieces = fc.constantFrom(
    '<!--',
    '-->',
    '<',
    '>',
    '\n',
    '\r',
    '\u2028',
    '# ',
    '- ',
    '`',
    '```',
    '[',
    ']',
    '(',
    '|',
    'memories:',
    'word',
    ' ',
  )
  fc.assert(
    fc.property(
      fc.array(fc.oneof(pieces, fc.string({ unit: 'grapheme', maxLength: 4 })), { minLength: 1, maxLength: 12 }),
      parts => {
        const content = one(parts.join(''))
        if (content === '# General\n' || content === '\n') return
        const lines = content.trimEnd().split('\n')
        expect(lines).toHaveLength(3)
        expect(lines[2]?.endsWith(` <!-- memories: ${memoryId(1)} -->`)).toBe(true)
        expect(content.match(/<|>/g)).toHaveLength(2)
        expect(namedIn(content)).toEqual([memoryId(1)])
      },
    ),
  )
})

test('categories become titles', () => {
  expect(titleOf('tech_stack')).toBe('# Tech stack')
  expect(titleOf('日本')).toBe('# 日本')
  expect(titleOf('<b>\n# x')).toBe('# &lt;b&gt; # x')
})

test('a line loses the memories that are gone, and goes with the last one', () => {
  const line = `- as edited <!-- memories: ${memoryId(1)}, ${memoryId(2)} --> end`
  expect(withoutMemories(line, new Set([memoryId(1)]))).toBe(`- as edited <!-- memories: ${memoryId(2)} --> end`)
  expect(withoutMemories(line, new Set([memoryId(1), memoryId(2)]))).toBeUndefined()
  expect(withoutMemories('- no comment', new Set([memoryId(1)]))).toBe('- no comment')
})
