import { describe, expect, test } from 'bun:test'
import { processorTime } from '../../../test/support/processor-time.ts'
import { describeLinear } from '../../../test/support/pumped.ts'
import { CONTENT_MAX } from '../schemas.ts'
import { contradicted } from './contradictions.ts'
import { memoryId, statement } from './document.test-support.ts'
import { NO_HAND, NOTHING_COMPILED } from './document.ts'
import { edited } from './edit.ts'
import { escapeMarkdown, namedIn, visible, withoutComments, withoutMemories } from './markdown.ts'
import { mergeStatements } from './merge.ts'
import { render } from './render.ts'
import { indexable, queryWords, wordsToIndex } from './search-words.ts'
import { normalForm, onOneLine, wordsOf } from './wording.ts'

const lengthMax = CONTENT_MAX
/** A memory's text. */
const memory = 50_000
const document = { category: 'work', compiled: NOTHING_COMPILED, hand: NO_HAND }

describeLinear({
  edited: { read: text => wordsToIndex(edited(document, text)), lengthMax, openings: ['## A\n'] },
  render: { read: text => render(edited(document, text)), lengthMax, openings: ['## A\n'] },
  namedIn: { read: namedIn, lengthMax, openings: ['<!-- memories:', '<!--'] },
  withoutMemories: { read: text => withoutMemories(text, new Set()), lengthMax, openings: ['<!-- memories:'] },
  visible: { read: visible, lengthMax, openings: ['<!--'] },
  escapeMarkdown: { read: escapeMarkdown, lengthMax },
  indexable: { read: indexable, lengthMax },
  queryWords: { read: queryWords, lengthMax: memory },
  wordsOf: { read: wordsOf, lengthMax: memory },
  normalForm: { read: normalForm, lengthMax: memory },
  onOneLine: { read: onOneLine, lengthMax: memory },
  contradicted: { read: text => contradicted([statement(1, text)]), lengthMax: memory, openings: ['My age is '] },
})

describe('comments', () => {
  test.each([
    ['a <!-- b --> c <!---->d', 'a - c -d'],
    ['a <!-- b', 'a <!-- b'],
    ['a <!--> b --> c', 'a - c'],
    ['a --> b <!-- c\nd --> e', 'a --> b - e'],
  ])('%j is %j without them', (text, rest) => expect(withoutComments(text, '-')).toBe(rest))

  test.each(['<!--memories:%-->', '<!--  Memories:  % -->', '<!-- memories: %,\n%-->'])(
    '%j names a memory',
    comment => {
      const text = comment.replaceAll('%', memoryId(7))
      expect(new Set(namedIn(text))).toEqual(new Set([memoryId(7)]))
      expect(withoutMemories(text, new Set([memoryId(7)]))).toBeUndefined()
    },
  )
})

test('statements of the same words in other orders are told apart quickly', async () => {
  const words = Array.from({ length: 50 }, (_, n) => `w${n}`)
  const statements = Array.from({ length: 2_000 }, (_, n) => {
    const at = n % words.length
    const turned = [...words.slice(at), ...words.slice(0, at)]
    return statement(n, [...turned, ...turned.slice(0, Math.floor(n / words.length))].join(' '))
  })
  let lines = 0
  const spent = await processorTime(() => {
    lines = mergeStatements(statements).length
  })
  expect(lines).toBe(2_000)
  expect(spent).toBeLessThan(1_500)
})
