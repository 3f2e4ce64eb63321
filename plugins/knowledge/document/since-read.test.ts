import { describe, expect, test } from 'bun:test'
import type { KnownStatement } from '../../graph/contract.ts'
import { compose } from './compose.ts'
import { entity, memoryId, statement } from './document.test-support.ts'
import { type Compiled, type Document, NO_HAND } from './document.ts'
import { edited } from './edit.ts'
import { render, settled } from './render.ts'
import { sinceReadOf, UP_TO_DATE } from './since-read.ts'

const TEA = statement(1, 'Ada likes tea.')
const JAZZ = statement(2, 'Ada likes jazz.')
const RAIN = statement(6, 'Ada likes rain.')
const LISBON = ['Ada lives in Lisbon.', 'Lisbon has hills.', 'Lisbon is warm.'].map((text, n) => statement(n + 3, text))

function listOf(statements: readonly KnownStatement[], hand = NO_HAND): Document {
  const compiled = compose(statements, [entity('Lisbon')], hand.removed)
  return { category: 'preferences', compiled, hand: settled(hand, compiled) }
}

function proseOf(...texts: string[]): Document {
  const lines = texts.map(text => ({ text, hash: text, sources: [{ memory: memoryId(1), hash: 'h' }] }))
  const compiled: Compiled = {
    style: 'prose',
    sections: [{ heading: null, lines }],
    earlier: [],
    more: 0,
    andOthers: false,
  }
  return { category: 'preferences', compiled, hand: NO_HAND }
}

/** Renders what becomes of a text of the first document, sent by whoever has not seen the others. */
function late(change: (content: string) => string, ...versions: readonly [Document, ...Document[]]): string {
  let since = UP_TO_DATE
  for (const [n, document] of versions.entries()) since = sinceReadOf(document, versions[n - 1] ?? document)(since)
  const last = versions.at(-1) ?? versions[0]
  const after = edited(last, change(render(versions[0])), since)
  return render({ ...after, hand: settled(after.hand, after.compiled) })
}

const writtenBelow = (sections: string) => ({ ...NO_HAND, sections })
const unchanged = (content: string) => content
const uncommented = (content: string) => content.replace(/ <!--.*-->/g, '')

describe('an edit of a text that is out of date', () => {
  test.each([unchanged, uncommented])('does not bring back a line that went', change => {
    const now = listOf([JAZZ])
    expect(late(change, listOf([TEA, JAZZ]), now)).toBe(render(now))
    // It came back in between, and went again.
    expect(late(change, listOf([TEA, JAZZ]), now, listOf([TEA, JAZZ]), now)).toBe(render(now))
  })

  test('keeps no heading that went, and what was written under it as notes', () => {
    const [before, now] = [listOf([TEA, JAZZ, RAIN, ...LISBON]), listOf([TEA, JAZZ, RAIN])]
    expect(render(before)).toContain('## Lisbon')
    expect(late(unchanged, before, now)).toBe(render(now))
    // A document of few lines has no headings.
    const fewer = listOf([TEA, JAZZ, ...LISBON])
    expect(late(unchanged, before, fewer)).toBe(render(fewer))
    const written = late(content => content.replace('## Lisbon\n', '## Lisbon\n\nBy hand.\n'), before, now)
    expect(written).toBe(`${render(now)}\n## Notes\n\nBy hand.\n`)
  })

  test('does not double prose that was written anew, and keeps what was added to it', () => {
    const now = proseOf('Ada loves tea.', 'Jazz is what she hears.')
    const before = proseOf('Ada likes tea and jazz.')
    expect(late(unchanged, before, proseOf('Ada likes both.'), now)).toBe(render(now))
    expect(late(content => `${content}\nBy hand.\n`, before, now)).toContain('By hand.')
    expect(late(content => `${content}\nBy hand.\n`, before, now)).not.toContain('tea and jazz')
  })

  test('keeps a statement whose words changed a little', () => {
    const now = listOf([statement(1, 'Ada likes Tea'), JAZZ])
    expect(late(unchanged, listOf([TEA, JAZZ]), now)).toBe(render(now))
  })

  test('takes no line for gone that its editor never saw', () => {
    const now = listOf([JAZZ])
    const written = late(content => `${content}\nAda likes tea.\n`, now, listOf([TEA, JAZZ]), now)
    expect(written).toContain('Ada likes tea.')
  })

  test.each([unchanged, uncommented])('keeps by hand what equals a line or a heading that went', change => {
    const notes = writtenBelow('## My notes\n\nAda likes jazz.\nAnd blues.')
    const added = (content: string) => `${change(content)}One more line.\n`
    const now = listOf([TEA], notes)
    expect(late(added, listOf([TEA, JAZZ], notes), now)).toBe(`${render(now)}One more line.\n`)
    // It was not shown in between.
    expect(late(added, listOf([TEA, JAZZ], notes), listOf([JAZZ], notes), now)).toBe(`${render(now)}One more line.\n`)
    const own = writtenBelow('## Lisbon\n\nBy hand.')
    const plain = listOf([TEA, JAZZ, RAIN], own)
    expect(late(change, listOf([TEA, JAZZ, RAIN, ...LISBON], own), plain)).toBe(render(plain))
  })

  test('keeps the line by hand also where it stands above the one that went', () => {
    const spaced = { before: true, after: true }
    const hand = { ...NO_HAND, remarks: [{ after: null, under: null, text: 'Ada likes jazz.', spaced }] }
    const now = listOf([TEA], hand)
    expect(late(unchanged, listOf([TEA, JAZZ], hand), now)).toBe(render(now))
  })

  test('takes a line for gone as often as it went', () => {
    const now = listOf([TEA])
    const written = late(content => `${content}\n## Mine\n\nAda likes jazz.\n`, listOf([TEA, JAZZ]), now)
    expect(written).toBe(`${render(now)}\n## Mine\n\nAda likes jazz.\n`)
    const once = proseOf('Jazz it is.', 'Ada likes tea.')
    for (const fewer of [once, proseOf('Ada likes tea.')])
      expect(late(uncommented, proseOf('Jazz it is.', 'Ada likes tea.', 'Jazz it is.'), once, fewer)).toBe(
        render(fewer),
      )
  })

  test.each(['*1 more statement is not shown.*', '*More than 7 further statements are not shown.*'])(
    'never has by hand: %s',
    line => {
      const now = listOf([TEA])
      expect(late(content => `${content}\n${line}\n`, now)).toBe(render(now))
    },
  )
})
