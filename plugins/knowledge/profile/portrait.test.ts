import { describe, expect, test } from 'bun:test'
import { RELATION_TYPES } from '../../graph/contract.ts'
import { entity, memoryId, statement } from '../document/document.test-support.ts'
import { memoriesOf, type Portrait, portraitOf, withoutUnsaid } from './portrait.ts'
import { summaryOf } from './source.ts'

/** All of it was said on one day, and nothing later. */
const told = (portrait: Portrait) => summaryOf(portrait, new Map(memoriesOf(portrait).map(id => [id, { at: SAID }])))
const SAID = new Date('2026-01-01T09:00:00Z')

const USER = entity('Ada Lovelace', { isUser: true, type: 'PERSON' })

describe('a portrait', () => {
  test('tells who somebody is in a few plain sentences, from what holds now', () => {
    const portrait = portraitOf({
      userId: 'u7',
      statements: [
        statement(1, 'My name is Ada Lovelace.'),
        ...['Acme', 'Lisbon', 'tea', 'jazz', 'TypeScript'].map((name, n) => statement(n + 2, `There is ${name}.`)),
        statement(7, 'My husband is a doctor.'),
        statement(8, 'Bo is my husband.'),
      ],
      entities: [USER],
      facts: [
        { type: 'WORKS_AT', target: 'Acme', memories: [memoryId(2)] },
        { type: 'LIVES_IN', target: 'Lisbon', memories: [memoryId(3)] },
        { type: 'LIKES', target: 'tea', memories: [memoryId(4)] },
        { type: 'LIKES', target: 'jazz', memories: [memoryId(5)] },
        { type: 'USES_TECHNOLOGY', target: 'TypeScript', memories: [memoryId(6)] },
        { type: 'MARRIED_TO', target: 'Bo', memories: [memoryId(7)] },
        { type: 'KNOWS', target: 'Somebody whom no statement names', memories: [memoryId(7)] },
      ],
    })
    expect(portrait && told(portrait)).toBe(
      'Ada Lovelace works at Acme (2026-01-01) and lives in Lisbon (2026-01-01). Ada Lovelace likes tea (2026-01-01) and jazz (2026-01-01) and uses TypeScript (2026-01-01). Ada Lovelace is married to Bo (2026-01-01).',
    )
    const left = portrait && withoutUnsaid(portrait, id => ![1, 3, 5].map(memoryId).includes(id))
    expect(left && told(left)).toBe(
      'The user works at Acme (2026-01-01). The user likes tea (2026-01-01) and uses TypeScript (2026-01-01). The user is married to Bo (2026-01-01).',
    )
    // The name goes with the memory that says it, whoever says that there is a husband.
    const nameless = portrait && withoutUnsaid(portrait, id => id !== memoryId(8))
    expect(nameless && told(nameless)).not.toContain('Bo')
  })

  test('calls its user by a name that a greeting states, until no memory does', () => {
    const portrait = portraitOf({
      userId: 'ada',
      statements: [statement(1, 'I work at Acme.')],
      entities: [entity('Ada', { isUser: true, type: 'PERSON', namedBy: [memoryId(2)] })],
      facts: [{ type: 'WORKS_AT', target: 'Acme', memories: [memoryId(1)] }],
    })
    expect(portrait && told(portrait)).toBe('Ada works at Acme (2026-01-01).')
    const nameless = portrait && withoutUnsaid(portrait, id => id !== memoryId(2))
    expect(nameless && told(nameless)).toBe('The user works at Acme (2026-01-01).')
  })

  test.each(RELATION_TYPES)('has words for the relationship %s', type => {
    const facts = [{ type, target: 'Lisbon', memories: [memoryId(1)] }]
    const statements = [statement(1, 'There is Lisbon.')]
    const portrait = portraitOf({ userId: 'u7', statements, entities: [], facts })
    expect(portrait && told(portrait)).toMatch(/^The user [a-z ]+ Lisbon \(2026-01-01\)\.$/)
  })

  test('names a nameless user on one line', () => {
    const facts = [{ type: 'LIKES' as const, target: 'tea', memories: [memoryId(1)] }]
    const statements = [statement(1, 'I like tea.')]
    const portrait = portraitOf({ userId: 'u7', statements, entities: [], facts })
    expect(portrait && told(portrait)).toBe('The user likes tea (2026-01-01).')
  })

  test.each([
    ['Toyota', 'トヨタ', '私はトヨタで働いています。'],
    ['Bangkok', 'กรุงเทพ', 'ฉันอาศัยอยู่ที่กรุงเทพมหานคร'],
    ['Seoul', '서울', '저는 서울에 살아요.'],
    ['Istanbul', 'İstanbul', "İstanbul'da yaşıyorum."],
    ['Cairo', 'القاهرة', 'أعيش بالقاهرة منذ سنة'],
    ['Delhi', 'दिल्ली', 'मैं दिल्ली में रहता हूँ।'],
    ['Anna', 'Anna', 'Ich wohne in Annas Haus.'],
  ])('tells of %s, where a text joins the name with other letters', (_, target, text) => {
    const facts = [{ type: 'LIVES_IN' as const, target, memories: [memoryId(1)] }]
    const portrait = portraitOf({ userId: 'u7', statements: [statement(1, text)], entities: [], facts })
    expect(portrait?.facts).toMatchObject([{ target, namedBy: [memoryId(1)] }])
  })

  test('takes no longer word for a name', () => {
    const facts = [{ type: 'LIKES' as const, target: 'Ada', memories: [memoryId(1)] }]
    const statements = [statement(1, 'I like the adaptation of it, and Adam.')]
    expect(portraitOf({ userId: 'u7', statements, entities: [], facts })?.facts).toEqual([])
  })

  test('keeps a name that was told along with what is over', () => {
    const portrait = portraitOf({
      userId: 'u7',
      statements: [
        statement(1, 'My name is Ada Lovelace and I live in Lisbon.', { ended: true }),
        statement(2, 'I moved to Berlin.'),
      ],
      entities: [USER],
      facts: [{ type: 'LIVES_IN', target: 'Berlin', memories: [memoryId(2)] }],
    })
    expect(portrait && told(portrait)).toBe('Ada Lovelace lives in Berlin (2026-01-01).')
  })

  test('quotes a few statements of those about whom no relationship is known', () => {
    const portrait = portraitOf({
      userId: 'u7',
      statements: [
        statement(1, 'I like tea'),
        statement(2, 'I moved to Lisbon.', { categories: ['personal'] }),
        statement(3, 'I was born in Porto.', { categories: ['personal'], ended: true }),
        statement(4, `Long ${'x'.repeat(300)}`, { categories: ['personal'] }),
      ],
      entities: [],
      facts: [],
    })
    expect(portrait && told(portrait)).toBe('2026-01-01: The user moved to Lisbon. 2026-01-01: The user likes tea.')
  })

  test('quotes personal statements that no relationship tells, beside those that are told', () => {
    const portrait = portraitOf({
      userId: 'u7',
      statements: [
        statement(1, 'I live in Lisbon.', { categories: ['personal'] }),
        statement(2, 'I am allergic to shellfish.', { categories: ['personal'] }),
        statement(3, 'Tea is best in the morning.'),
        statement(4, 'I was ill.', { categories: ['personal'], ended: true }),
      ],
      entities: [],
      facts: [{ type: 'LIVES_IN', target: 'Lisbon', memories: [memoryId(1)] }],
    })
    expect(portrait && told(portrait)).toBe(
      'The user lives in Lisbon (2026-01-01). 2026-01-01: The user is allergic to shellfish.',
    )
    const left = portrait && withoutUnsaid(portrait, id => id !== memoryId(2))
    expect(left && told(left)).toBe('The user lives in Lisbon (2026-01-01).')
  })

  test('names at most ten topics: what is named most, then the categories', () => {
    const names = Array.from({ length: 14 }, (_, n) => `Thing${n}`)
    const portrait = portraitOf({
      userId: 'u7',
      statements: names.map((name, n) => statement(n, `I have ${name}.`)),
      entities: [USER, ...names.map(name => entity(name))],
      facts: [],
    })
    expect(portrait?.topics.map(({ name }) => name)).toEqual(names.slice(0, 10))
    const few = portraitOf({
      userId: 'u7',
      statements: [statement(1, 'I like Tea.'), statement(2, 'I run.', { categories: ['personal', 'preferences'] })],
      entities: [entity('tea'), entity('nowhere named')],
      facts: [],
    })
    expect(few?.topics.map(({ name }) => name)).toEqual(['tea', 'preferences', 'personal'])
  })

  test('is none where nothing is known', () => {
    expect(portraitOf({ userId: 'u7', statements: [], entities: [], facts: [] })).toBeUndefined()
  })
})
