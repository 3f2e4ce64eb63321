import { describe, expect, test } from 'bun:test'
import type { KnownStatement } from '../../graph/contract.ts'
import { compose } from './compose.ts'
import { entity, memoryId, statement } from './document.test-support.ts'
import { type Document, NO_HAND } from './document.ts'
import { edited } from './edit.ts'
import { render, settled } from './render.ts'
import { withdrawn } from './withdraw.ts'

const STATEMENTS = [
  statement(1, 'Ada likes tea.'),
  statement(2, 'Ada likes jazz.'),
  statement(3, 'Ada prefers TypeScript.'),
  statement(4, 'TypeScript needs no build step with Bun.'),
  statement(5, 'Ada writes TypeScript at work.'),
  statement(6, 'Ada liked coffee.', { ended: true }),
  statement(7, 'Ada likes short answers.'),
]
const ENTITIES = [entity('TypeScript')]

function documentOf(statements: readonly KnownStatement[] = STATEMENTS, hand = NO_HAND): Document {
  const compiled = compose(statements, ENTITIES, hand.removed)
  return { category: 'preferences', compiled, hand: settled(hand, compiled) }
}

/** Edits and compiles, as the route does. */
function edit(document: Document, content: string, statements: readonly KnownStatement[] = STATEMENTS): Document {
  return documentOf(statements, edited(document, content).hand)
}

const original = documentOf()
const content = render(original)
const without = (document: Document, n: number) =>
  withdrawn(document, memory => memory !== memoryId(n), new Set([memoryId(n)]))

describe('an edited document', () => {
  test('without an edit is the same, also without its comments, with other bullets and other line ends', () => {
    for (const sent of [
      content,
      content.replace(/ <!--.*-->/g, ''),
      content.replace(/^- /gm, '* '),
      content.replaceAll('\n', '\r\n'),
      content.trim(),
    ]) {
      const after = edit(original, sent)
      expect(after.hand).toEqual(NO_HAND)
      expect(render(after)).toBe(content)
    }
  })

  test.each([
    ['a line under a statement', (text: string) => text.replace(/(- Ada likes jazz.*)/, '$1\n  Above all Coltrane.')],
    [
      'a paragraph under the title',
      (text: string) => text.replace('# Preferences\n', '# Preferences\n\nAsk her first.\n'),
    ],
    ['a line under a heading', (text: string) => text.replace('## TypeScript\n', '## TypeScript\n\nStrict mode.\n')],
    ['a section at the end', (text: string) => `${text}\n## Mine\n\n- one\n\n  two\n`],
    ['text at the end', (text: string) => `${text}\nThe end.\n`],
    ['another title', (text: string) => text.replace('# Preferences', '# What Ada likes')],
    [
      'code with what looks like headings',
      (text: string) => `${text}\n## Code\n\n\`\`\`sh\n# a comment\n\n\n- Ada likes tea.\n\`\`\`\n`,
    ],
    ['a changed statement', (text: string) => text.replace('- Ada likes jazz.', '- Ada loves **jazz**.')],
    ['a removed statement', (text: string) => text.replace(/- Ada likes jazz.*\n/, '')],
    ['two texts in one place', (text: string) => text.replace(/(- Ada likes jazz.*)/, '$1\n\nOne.\n\nTwo.\n')],
  ])('has %s exactly where it was put, and again after it is compiled', (_, change) => {
    const sent = change(content)
    expect(sent).not.toBe(content)
    const after = edit(original, sent)
    expect(render(after)).toBe(sent)
    expect(render(documentOf(STATEMENTS, after.hand))).toBe(sent)
    expect(render(edit(after, render(after)))).toBe(sent)
  })

  test('keeps what was taken out away until its memory says something else', () => {
    const after = edit(original, content.replace(/- Ada likes tea.*\n/, ''))
    expect(render(after)).not.toContain('tea')
    const changed = [...STATEMENTS.slice(1), statement(1, 'Ada likes black tea.')]
    expect(render(documentOf(changed, after.hand))).toContain('black tea')
    const again = [...STATEMENTS, statement(9, 'Ada likes tea.')]
    expect(render(documentOf(again, after.hand))).toContain(`Ada likes tea. <!-- memories: ${memoryId(9)} -->`)
  })

  test('has new statements beside what was written by hand', () => {
    const sent = content.replace(/(- Ada likes jazz.*)/, '$1\n  Above all Coltrane.')
    const more = [...STATEMENTS, statement(8, 'Ada likes rain.')]
    const text = render(documentOf(more, edit(original, sent).hand))
    expect(text).toContain('- Ada likes rain.')
    expect(text).toMatch(/jazz.*\n {2}Above all Coltrane\.\n/)
  })

  test('keeps a remark under the heading when its statement goes, and among the notes when the heading goes too', () => {
    const sent = content.replace(/(- Ada prefers TypeScript.*)/, '$1\n  With strict types.')
    const hand = edit(original, sent).hand
    const fewer = render(
      documentOf(
        [...STATEMENTS.filter(({ memoryId: id }) => id !== memoryId(3)), statement(9, 'TypeScript is fast.')],
        hand,
      ),
    )
    expect(fewer).toMatch(/## TypeScript\n\n\s*With strict types\./)
    const none = documentOf(STATEMENTS.slice(0, 2), hand)
    expect(render(none)).toMatch(/## Notes\n\n\s*With strict types\.\n$/)
    // And there they stay.
    expect(render(documentOf(STATEMENTS, none.hand))).toMatch(/## Notes\n\n\s*With strict types\.\n$/)
  })

  test('may be all by hand', () => {
    const after = edit(original, 'Nothing of that is true.')
    expect(render(after)).toBe('# Preferences\n\nNothing of that is true.\n')
  })
})

describe('a memory that is gone', () => {
  test('takes its statement along, and the lines by hand that still name it, but not those that name it no more', () => {
    const sent = content
      .replace('- Ada likes jazz.', '- Ada loves jazz.')
      .replace(/- Ada likes tea\..*/, '- Ada likes oolong.')
    const after = edit(original, sent)
    const left = render(without(without(after, 1), 2))
    expect(left).not.toContain('jazz')
    expect(left).toContain('- Ada likes oolong.')
    expect(left).toContain('short answers')
  })

  test('leaves nothing of what was taken out', () => {
    const after = edit(original, content.replace(/- Ada likes tea.*\n/, ''))
    expect(JSON.stringify(without(after, 1))).not.toContain(memoryId(1))
  })

  test('leaves a statement that another memory makes, in the words of that one', () => {
    const both = documentOf([
      statement(1, 'Ada drinks green tea.'),
      statement(2, 'Ada drinks green tea for her secret illness.'),
      statement(3, 'ADA DRINKS GREEN TEA'),
    ])
    expect(render(both)).toContain('illness')
    const left = render(without(both, 2))
    expect(left).toBe(`# Preferences\n\n- Ada drinks green tea. <!-- memories: ${memoryId(3)}, ${memoryId(1)} -->\n`)
  })

  test('is looked for in its own words, also where they are told in the third person', () => {
    const own = [
      statement(1, 'I drink green tea.'),
      statement(2, 'I drink green tea for my illness.'),
      statement(3, 'I DRINK GREEN TEA!'),
    ]
    const all = documentOf(own)
    expect(render(all)).toContain('- The user drinks green tea for their illness.')
    const says = (memory: string, words: string) => memory !== memoryId(2) || 'i drink coffee.'.includes(words)
    const left = withdrawn(all, says, new Set())
    expect(render(left)).toBe(render(documentOf(own.filter((_, n) => n !== 1))))
    expect(render(without(documentOf([statement(1, 'I drink green tea.')]), 1))).toBe('# Preferences\n')
  })

  test('takes along every sentence of prose that rests on it', () => {
    const source = (n: number, said: string) => ({ memory: memoryId(n), hash: said, said })
    const prose: Document = {
      category: 'preferences',
      hand: NO_HAND,
      compiled: {
        style: 'prose',
        sections: [
          {
            heading: null,
            lines: [
              { text: 'Ada likes tea and jazz.', hash: 'a', sources: [source(1, 'tea'), source(2, 'jazz')] },
              { text: 'She writes TypeScript.', hash: 'b', sources: [source(3, 'ts')] },
            ],
          },
        ],
        earlier: [],
        more: 0,
        andOthers: false,
      },
    }
    expect(render(without(prose, 1))).toBe(
      `# Preferences\n\nShe writes TypeScript. <!-- memories: ${memoryId(3)} -->\n`,
    )
    expect(render(edited(prose, render(prose)))).toBe(render(prose))
  })
})

test('a memory that still says it, says it after its change as well', () => {
  const document = documentOf()
  const says = (memory: string, words: string) =>
    memory !== memoryId(1) || 'ada likes tea. and more'.includes(words.toLowerCase())
  expect(withdrawn(document, says, new Set())).toEqual(document)
})
