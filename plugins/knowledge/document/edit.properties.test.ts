import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { compose } from './compose.ts'
import { entity, memoryId, statement } from './document.test-support.ts'
import { type Document, type Hand, linesOf, NO_HAND } from './document.ts'
import { edited } from './edit.ts'
import { visible } from './markdown.ts'
import { render, settled } from './render.ts'
import { withdrawn } from './withdraw.ts'

const STATEMENTS = [
  ...Array.from({ length: 5 }, (_, n) => statement(n, `TypeScript fact ${n}.`)),
  ...Array.from({ length: 4 }, (_, n) => statement(n + 5, `Other fact ${n}.`)),
  statement(9, 'Once a fact.', { ended: true }),
]

function documentOf(hand: Hand = NO_HAND): Document {
  const compiled = compose(STATEMENTS, [entity('TypeScript')], hand.removed)
  return { category: 'general', compiled, hand: settled(hand, compiled) }
}

const edit = (document: Document, content: string) => documentOf(edited(document, content).hand)

/** One edit of one line. */
const change = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ kind: 'keep' as const }) },
  fc.constant({ kind: 'drop' as const }),
  fc.record({
    kind: fc.constantFrom('rewrite' as const, 'add' as const),
    text: fc.constantFrom(
      'a note',
      '- a bullet',
      '  - nested',
      '## Mine',
      '### Deeper',
      '> quoted',
      '1. one',
      '**bold**',
    ),
    gap: fc.boolean(),
  }),
)

interface Sent {
  readonly content: string
  /** Texts that the editor wrote, each only once. */
  readonly written: readonly string[]
}

function apply(content: string, changes: readonly (typeof change extends fc.Arbitrary<infer T> ? T : never)[]): Sent {
  const written: string[] = []
  const lines = content.split('\n').flatMap((line, n) => {
    const done = changes[n % changes.length]
    if (!done || done.kind === 'keep' || line === '') return [line]
    if (done.kind === 'drop') return []
    const text = `${done.text} ${n}`
    written.push(text)
    return [...(done.kind === 'add' ? [line] : []), ...(done.gap ? [''] : []), text]
  })
  return { content: lines.join('\n'), written }
}

const editing = fc.array(change, { minLength: 1, maxLength: 25 })

test('whatever is edited stays edited: nothing written is lost, nothing taken out comes back, and compiling changes nothing', () => {
  fc.assert(
    fc.property(editing, editing, (first, second) => {
      let document = documentOf()
      for (const changes of [first, second]) {
        const before = render(document)
        const sent = apply(before, changes)
        document = edit(document, sent.content)
        const after = render(document)
        const lines = after.split('\n')
        for (const text of sent.written) expect([after, lines.includes(text)]).toEqual([after, true])
        const seen = new Set(sent.content.split('\n').map(visible))
        for (const { text } of linesOf(document.compiled)) expect(seen).toContain(visible(text))
        for (const line of before.split('\n').filter(line => line.includes('<!--') && !seen.has(visible(line))))
          expect(lines.map(visible)).not.toContain(visible(line))
        expect(render(documentOf(document.hand))).toBe(after)
        expect(render(edit(document, after))).toBe(after)
      }
    }),
    { numRuns: 300 },
  )
})

test('whatever is edited, a memory that is gone is nowhere in it', () => {
  fc.assert(
    fc.property(editing, fc.integer({ min: 0, max: 9 }), (changes, n) => {
      const document = edit(documentOf(), apply(render(documentOf()), changes).content)
      const gone = memoryId(n)
      const left = withdrawn(document, memory => memory !== gone, new Set([gone]))
      expect(JSON.stringify(left)).not.toContain(gone)
      expect(render(left)).not.toContain(`${STATEMENTS[n]?.text}`)
    }),
    { numRuns: 200 },
  )
})
