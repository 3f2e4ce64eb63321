import { describe, expect, test } from 'bun:test'
import { turnsDuring } from '../../../test/support/event-loop.ts'
import { compose, composeAhead, fingerprintOf } from './compose.ts'
import { entity, memoryId, statement } from './document.test-support.ts'
import { linesOf, NO_HAND } from './document.ts'
import { render } from './render.ts'
import { hashOf, normalForm } from './wording.ts'

const shown = (...args: Parameters<typeof compose>) =>
  render({ category: 'preferences', compiled: compose(...args), hand: NO_HAND })
const texts = (...args: Parameters<typeof compose>) => linesOf(compose(...args)).map(({ text }) => text)

describe('what several memories say', () => {
  test('is one statement, which names all of them, the newest first', () => {
    const content = shown(
      [statement(1, 'Ada likes tea.'), statement(2, 'ada  likes tea!'), statement(3, 'Ada jogs.')],
      [],
      [],
    )
    expect(content).toBe(
      `# Preferences\n\n- Ada jogs. <!-- memories: ${memoryId(3)} -->\n- ada likes tea! <!-- memories: ${memoryId(2)}, ${memoryId(1)} -->\n`,
    )
  })

  test('is one statement too where one says it inside of a longer one', () => {
    const { sections } = compose(
      [statement(1, 'Ada drinks green tea every morning'), statement(2, 'Ada drinks green tea.')],
      [],
      [],
    )
    expect(sections[0]?.lines).toEqual([
      {
        text: 'Ada drinks green tea every morning',
        hash: expect.any(String),
        sources: [
          { memory: memoryId(2), hash: expect.any(String), said: 'Ada drinks green tea.' },
          { memory: memoryId(1), hash: expect.any(String) },
        ],
      },
    ])
  })

  test.each([
    ['Ada works at Acme.', 'Nobody believes that Ada works at Acme.'],
    ['Ada likes green tea.', "Ada likes green tea, doesn't she?"],
    ['I live in Porto.', 'I live in Porto no longer.'],
    ['Ada trinkt gern Tee.', 'Ada trinkt gern Tee nicht mehr.'],
    ['Ana trabalha na Acme.', 'Não é verdade que Ana trabalha na Acme.'],
    ['Ada likes tea.', 'Ada likes teapots and cups.'],
    ['Ada runs.', 'Ada runs in the park.'],
  ])('stays apart where the longer one says something else: %s / %s', (shorter, longer) => {
    expect(texts([statement(1, shorter), statement(2, longer)], [], [])).toHaveLength(2)
  })

  test('names no more memories than a reader can use, and one with the very words among them', () => {
    const many = Array.from({ length: 60 }, (_, n) => statement(n + 2, 'Ada drinks green tea.'))
    const [line] = linesOf(compose([statement(1, 'Ada drinks green tea at noon.'), ...many], [], []))
    expect(line?.text).toBe('Ada drinks green tea at noon.')
    expect(line?.sources).toHaveLength(20)
    expect(line?.sources.at(-1)?.memory).toBe(memoryId(1))
  })
})

describe('what held once', () => {
  test('stands apart at the end, the newest ten', () => {
    const ended = Array.from({ length: 14 }, (_, n) => statement(n, `Ada worked at company ${n}.`, { ended: true }))
    const content = shown([...ended, statement(20, 'Ada works at Acme.')], [], [])
    const [current = '', earlier = ''] = content.split('## Earlier')
    expect(current).toContain('Ada works at Acme.')
    expect(current).not.toContain('company')
    expect(earlier.match(/company/g)).toHaveLength(10)
    expect(earlier.indexOf('company 13.')).toBeLessThan(earlier.indexOf('company 4.'))
  })

  test('does not hold once more because it was said again', () => {
    const both = [statement(1, 'Ada works at Acme.', { ended: true }), statement(2, 'Ada works at Acme.')]
    expect(compose(both, [], [])).toEqual(expect.objectContaining({ earlier: [] }))
  })
})

describe('an order that was made ahead', () => {
  const many = Array.from({ length: 2_000 }, (_, n) => statement(n + 1, `Ada likes number ${n} of ${n % 7}.`))

  test('is taken for the same statements and entities only, without what an editor took out', async () => {
    const some = many.slice(0, 20)
    const ahead = await composeAhead(some, [entity('Rust')])
    expect(ahead.compiled).toEqual(compose(some, [entity('Rust')], []))
    expect(compose(some, [entity('Rust')], [], ahead)).toBe(ahead.compiled)
    for (const [statements, entities] of [
      [some.slice(1), [entity('Rust')]],
      [some, [entity('Go')]],
      [some.with(0, { ...statement(1, 'Ada likes tea.') }), [entity('Rust')]],
      [some.with(0, { ...some[0], ended: true } as never), [entity('Rust')]],
    ] as const)
      expect(compose(statements, entities, [], ahead)).toEqual(compose(statements, entities, []))
    const [line] = linesOf(ahead.compiled)
    const removed = line?.sources.map(({ memory, hash }) => ({ memory, hash })) ?? []
    expect(compose(some, [entity('Rust')], removed, ahead)).toEqual(compose(some, [entity('Rust')], removed))
  })

  test('lets others in while it is made', async () => {
    expect(await turnsDuring(composeAhead(many, []))).toBeGreaterThanOrEqual(5)
  })
})

describe('the order of a document', () => {
  const lines = [
    statement(1, 'The kitchen has a window.'),
    statement(2, 'TypeScript is strict.'),
    statement(3, 'Lisbon is sunny.'),
    statement(4, 'I write TypeScript daily.'),
    statement(5, 'Bun runs TypeScript.'),
    statement(6, 'I moved to Lisbon.'),
    statement(7, 'TypeScriptish things are odd.'),
  ]

  test('puts what names an entity of note under its name, the rest first, and the newest on top', () => {
    const content = shown(lines, [entity('TypeScript'), entity('Lisbon')], [])
    expect(content.replace(/ <!--.*-->/g, '')).toBe(
      [
        '# Preferences',
        '',
        '- TypeScriptish things are odd.',
        '- The user moved to Lisbon.',
        '- Lisbon is sunny.',
        '- The kitchen has a window.',
        '',
        '## TypeScript',
        '',
        '- Bun runs TypeScript.',
        '- The user writes TypeScript daily.',
        '- TypeScript is strict.',
        '',
      ].join('\n'),
    )
  })

  test('has no heading over nearly everything, of the user, in short documents, or by a name that means something else', () => {
    const all = [
      ...Array.from({ length: 8 }, (_, n) => statement(n, `Tea number ${n} is earlier tea of Ada's.`)),
      statement(9, 'Something else.'),
    ]
    for (const entities of [[entity('tea')], [entity('Earlier')], [entity('Ada', { isUser: true })]]) {
      expect(shown(all, entities, [])).not.toContain('##')
    }
    expect(shown(all.slice(0, 4), [entity('Tea')], [])).not.toContain('##')
    const fruit = ['I like apples.', 'I buy apples.', 'We grow apples.', 'Ada jogs.', 'Ada sings.', 'Ada paints.']
    const apple = [entity('Apple', { type: 'ORGANIZATION' })]
    expect(
      shown(
        fruit.map((text, n) => statement(n, text)),
        apple,
        [],
      ),
    ).not.toContain('##')
    expect(
      shown(
        fruit.map((text, n) => statement(n, text)),
        [entity('apple')],
        [],
      ),
    ).toContain('## apple')
  })

  test('is the same whatever the order in which statements come', () => {
    const compiled = compose(lines, [entity('TypeScript')], [])
    expect(fingerprintOf(compose(lines.toReversed(), [entity('TypeScript')], []))).toBe(fingerprintOf(compiled))
  })
})

describe('a document that would be too long', () => {
  test('keeps the strongest and newest statements and says how many there are besides', () => {
    const many = Array.from({ length: 620 }, (_, n) =>
      statement(n, `Fact number ${n}.`, { confidence: n === 3 ? 0.99 : 0.5 }),
    )
    const content = shown(many, [], [])
    expect(content.match(/^- /gm)).toHaveLength(500)
    expect(content).toContain('Fact number 3.')
    expect(content).toContain('Fact number 619.')
    expect(content).not.toContain('Fact number 4.')
    expect(content).toContain('*120 more statements are not shown.*')
  })

  test('says so when there are more than were read', () => {
    const many = Array.from({ length: 2_001 }, (_, n) => statement(n, `Fact number ${n}.`))
    expect(shown(many, [], [])).toContain('*More than 1500 further statements are not shown.*')
  })

  test('is bounded in its characters', () => {
    const long = Array.from({ length: 400 }, (_, n) => statement(n, `Fact ${n} ${'long '.repeat(400)}`))
    const content = shown(long, [], [])
    expect(content.length).toBeLessThan(160_000)
    expect(content).toContain('…')
  })
})

test('what an editor took out stays out, by its memory and its words', () => {
  const removed = [{ memory: memoryId(1), hash: hashOf(normalForm('Ada likes tea.')) }]
  expect(texts([statement(1, 'Ada likes tea!')], [], removed)).toEqual([])
  expect(texts([statement(1, 'Ada likes coffee.')], [], removed)).toEqual(['Ada likes coffee.'])
  expect(texts([statement(2, 'Ada likes tea.')], [], removed)).toEqual(['Ada likes tea.'])
})
