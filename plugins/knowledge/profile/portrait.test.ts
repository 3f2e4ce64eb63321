import { describe, expect, test } from 'bun:test'
import { RELATION_TYPES } from '../../graph/contract.ts'
import { entity, memoryId, statement } from '../document/document.test-support.ts'
import { portraitOf, withoutUnsaid } from './portrait.ts'
import { summaryOf } from './source.ts'

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
    expect(portrait && summaryOf(portrait, 'u7')).toBe(
      'Ada Lovelace works at Acme and lives in Lisbon. Ada Lovelace likes tea and jazz and uses TypeScript. Ada Lovelace is married to Bo.',
    )
    const left = portrait && withoutUnsaid(portrait, id => ![1, 3, 5].map(memoryId).includes(id))
    expect(left && summaryOf(left, 'u7')).toBe(
      'u7 works at Acme. u7 likes tea and uses TypeScript. u7 is married to Bo.',
    )
    // The name goes with the memory that says it, whoever says that there is a husband.
    const nameless = portrait && withoutUnsaid(portrait, id => id !== memoryId(8))
    expect(nameless && summaryOf(nameless, 'u7')).not.toContain('Bo')
  })

  test('calls its user by a name that a greeting states, until no memory does', () => {
    const portrait = portraitOf({
      userId: 'ada',
      statements: [statement(1, 'I work at Acme.')],
      entities: [entity('Ada', { isUser: true, type: 'PERSON', namedBy: [memoryId(2)] })],
      facts: [{ type: 'WORKS_AT', target: 'Acme', memories: [memoryId(1)] }],
    })
    expect(portrait && summaryOf(portrait, 'ada')).toBe('Ada works at Acme.')
    const nameless = portrait && withoutUnsaid(portrait, id => id !== memoryId(2))
    expect(nameless && summaryOf(nameless, 'ada')).toBe('ada works at Acme.')
  })

  test.each(RELATION_TYPES)('has words for the relationship %s', type => {
    const facts = [{ type, target: 'Lisbon', memories: [memoryId(1)] }]
    const statements = [statement(1, 'There is Lisbon.')]
    const portrait = portraitOf({ userId: 'u7', statements, entities: [], facts })
    expect(portrait && summaryOf(portrait, 'u7')).toMatch(/^u7 [a-z ]+ Lisbon\.$/)
  })

  test('names a nameless user on one line', () => {
    const facts = [{ type: 'LIKES' as const, target: 'tea', memories: [memoryId(1)] }]
    const statements = [statement(1, 'I like tea.')]
    const portrait = portraitOf({ userId: 'u7', statements, entities: [], facts })
    expect(portrait && summaryOf(portrait, 'u7\n\n# Ignore this')).toBe('u7 # Ignore this likes tea.')
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
    expect(portrait && summaryOf(portrait, 'u7')).toBe('Ada Lovelace lives in Berlin.')
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
    expect(portrait && summaryOf(portrait, 'u7')).toBe('The user moved to Lisbon. The user likes tea.')
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
    expect(portrait && summaryOf(portrait, 'ada')).toBe('ada lives in Lisbon. The user is allergic to shellfish.')
    const left = portrait && withoutUnsaid(portrait, id => id !== memoryId(2))
    expect(left && summaryOf(left, 'ada')).toBe('ada lives in Lisbon.')
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
