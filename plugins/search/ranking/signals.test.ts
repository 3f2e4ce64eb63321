import { describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { readQuestion, readTraits } from '../analysis/traits.ts'
import type { Candidate } from '../engine/engine.ts'
import { CORPUS, candidate, context, NOW } from './candidates.test-support.ts'
import { shareOfTerms } from './coverage.ts'
import { withFeedback } from './feedback.ts'
import { closeness } from './proximity.ts'
import { rank } from './rank.ts'
import type { RankingContext } from './signal.ts'
import { SIGNAL_IDS } from './signals.ts'
import { timeFactor } from './time.ts'

const text = (memoryId: string, words: string, fields: Partial<Candidate> = {}) =>
  candidate(memoryId, { cosine: 0.5, traits: readTraits(words), ...fields })
const order = (candidates: readonly Candidate[], query: string, fields: Partial<RankingContext> = {}) =>
  rank(candidates, context({ question: readQuestion(query, NOW), ...fields })).map(one => one.candidate.memoryId)

describe('coverage', () => {
  test("is the share of the contained terms' weight", () => {
    const rare = Math.log(1 + 997.5 / 3.5)
    const common = Math.log(1 + 800.5 / 200.5)
    const held = shareOfTerms({ positions: new Map([['tea', [1]]]) }, ['tea', 'drink'], CORPUS)
    expect(held).toBeCloseTo(rare / (rare + common), 12)
    expect(shareOfTerms({ positions: new Map() }, [], CORPUS)).toBe(0)
  })
})

describe('proximity', () => {
  const at = (tea: number[], drink: number[]) =>
    closeness({ positions: new Map([['tea', tea], ['drink', drink]]) }, ['tea', 'drink'], CORPUS) // biome-ignore format: a row
  test('falls with the distance and ends beyond ten words', () => {
    expect(at([1], [2])).toBeCloseTo(2 * at([1], [3]), 12)
    expect(at([1, 40], [20, 42])).toBe(at([40], [42]))
    expect(at([1], [12])).toBe(0)
    expect(at([5], [5])).toBe(at([5], [6]))
  })
})

describe('the speaker', () => {
  const ada = text('ada', 'Ada: I planted roses.')
  const bob = text('bob', 'Bob: I planted roses.')
  const nobody = text('nobody', 'Roses were planted.')
  test('named by the query comes first, and texts without a speaker are unaffected', () => {
    expect(order([bob, nobody, ada], 'What did Ada plant?').at(-1)).toBe('bob')
    expect(order([ada, nobody, bob], 'What did Bob plant?').at(-1)).toBe('ada')
  })
  test('is neutral when the query names none or all', () => {
    for (const query of ['roses', 'What did Ada and Bob plant?']) {
      const scores = rank([ada, bob, nobody], context({ question: readQuestion(query, NOW) })).map(one => one.score)
      expect(new Set(scores).size).toBe(1)
    }
  })
})

describe('a heading that looks like a speaker', () => {
  const said = (memoryId: string, words: string, sessionPosition: number) =>
    text(memoryId, words, { sessionId: 's', sessionPosition })
  const talk = [
    said('hi', 'Ada: Hello there.', 0),
    said('roses', 'Bob: I planted roses.', 1),
    said('lilies', 'Ada: I planted lilies.', 2),
    said('bye', 'Bob: Goodbye.', 3),
  ]
  const factors = (query: string, ...others: readonly Candidate[]) =>
    new Map(
      rank([...talk, ...others], context({ question: readQuestion(query, NOW) })).map(({ candidate, parts }) => [
        candidate.memoryId,
        parts.factors.speaker,
      ]),
    )
  test.each(['Note: Ada likes tulips.', 'Update: Ada moved.', 'ノート：Adaは引っ越しました。'])(
    'loses nothing beside a conversation: %s',
    words => {
      const found = factors('What did Ada plant?', text('note', words), text('again', words))
      expect(found.get('note')).toBe(1)
      expect([found.get('lilies'), found.get('roses')]).toEqual([1, 0.65])
    },
  )
  test('is nobody whom a query names', () => {
    expect(new Set(factors('Where is the note on roses?', text('note', 'Note: roses need sun.')).values())).toEqual(
      new Set([1]),
    )
  })
  test('within a conversation becomes no speaker by one turn', () => {
    expect(factors('What did Ada plant?', said('note', 'Note: the rest is missing.', 4)).get('note')).toBe(1)
  })
  test.each([
    ['田中：バラを植えました。', '鈴木：ユリを植えました。'],
    ['田中:バラを植えました。', '鈴木:ユリを植えました。'],
  ])('speakers are known without a space after the colon: %s', (asked, other) => {
    const [first, second] = [text('asked', asked), text('other', other)]
    expect(order([second, first], '田中さんは何を植えましたか')).toEqual(['asked', 'other'])
    expect(order([first, second], '鈴木さんは何を植えましたか')).toEqual(['other', 'asked'])
  })
})

describe('a question', () => {
  test.each([
    ['When did she leave?', 'She left on Monday.', 'She left her house.'],
    ['How many cats has he?', 'He has three cats.', 'He has cats.'],
    ['Wer war dort?', 'Dort war auch Anna.', 'dort war jemand.'],
    ['いつ行きましたか', '昨日行きました', '行きました'],
  ])('%s prefers %s', (query, told, vague) => {
    expect(order([text('vague', vague), text('told', told)], query)).toEqual(['told', 'vague'])
    expect(order([text('told', told), text('vague', vague)], query)).toEqual(['told', 'vague'])
  })
  test('ranks statements above questions', () => {
    const asks = text('asks', 'Did you like the tea?', { statedAt: NOW })
    const tells = text('tells', 'I liked the tea.')
    expect(order([asks, tells], 'What did she think of the tea?')).toEqual(['tells', 'asks'])
    expect(order([asks, tells], 'tea')).toEqual(['asks', 'tells'])
  })
  test('that tells much beside loses less', () => {
    const short = text('short', 'Did you like the tea?', { length: 5, statedAt: NOW })
    const long = text('long', 'After the tea with my sister in Kyoto last week, could you plan a trip there?', {
      length: 60,
    })
    expect(order([short, long], 'What did she think of the tea?')).toEqual(['long', 'short'])
  })
  test('supports the statement after it more than a statement does', () => {
    const place = (sessionId: string, sessionPosition: number) => ({ sessionId, sessionPosition, cosine: 0.3 })
    const asked = text('asked', 'Where do you live?', { ...place('a', 0), cosine: 0.7 })
    const said = text('said', 'I live here.', { ...place('b', 0), cosine: 0.7 })
    const answer = text('answer', 'In Lyon.', place('a', 1))
    const aside = text('aside', 'In Lyon.', place('b', 1))
    expect(order([said, aside, asked, answer], 'home').slice(2)).toEqual(['answer', 'aside'])
  })
})

describe('the session', () => {
  const place = (sessionId: string, sessionPosition: number) => ({ sessionId, sessionPosition })
  test('supports a memory far from its best one, also the best one itself, but none by itself', () => {
    const best = text('best', 'x', { ...place('a', 0), cosine: 0.8 })
    const far = text('far', 'x', place('a', 50))
    const lone = text('lone', 'x', place('b', 0))
    const none = text('none', 'x')
    const parts = new Map(rank([lone, none, far, best], context({})).map(one => [one.candidate.memoryId, one.parts]))
    expect(order([lone, none, far, best], 'q').slice(0, 2)).toEqual(['best', 'far'])
    expect(parts.get('far')?.session).toMatchObject({ memoryId: 'best', weight: 0.2 })
    expect(parts.get('best')?.session?.memoryId).toBe('far')
    expect([parts.get('lone')?.session, parts.get('none')?.session]).toEqual([null, null])
  })
})

describe('the time of a memory', () => {
  const may = text('may', 'We met.', { happenedAt: new Date('2026-05-10T00:00:00Z') })
  const march = text('march', 'We met.', { happenedAt: new Date('2026-03-10T00:00:00Z') })
  const unknown = text('unknown', 'We met.', { statedAt: new Date('2026-05-31T00:00:00Z') })
  test.each(['Whom did we meet last May?', 'meeting on 10 May 2026', 'meeting in May'])('%s', query => {
    expect(order([march, may], query)).toEqual(['may', 'march'])
  })
  test('fits open spans before and since a date', () => {
    expect(order([may, march], 'whom did we meet before April 2026')).toEqual(['march', 'may'])
    expect(order([march, may], 'whom did we meet since April 2026')).toEqual(['may', 'march'])
  })
  test('between two named times fits as they do, and between others is neutral', () => {
    const at = (day: string) => timeFactor({ happenedAt: new Date(day), statedAt: NOW, isDated: false }, question)
    const question = readQuestion('What did we do between 2020 and 2022?', NOW)
    expect(['2020-06-10', '2021-06-10', '2022-06-10'].map(at)).toEqual([1.3, 1.3, 1.3])
    expect(['2019-06-10', '2023-06-10'].map(at)).toEqual([0.7, 0.7])
    const apart = readQuestion('Was it in 2020 or in 2022?', NOW)
    const inMiddle = { happenedAt: new Date('2021-06-10'), statedAt: NOW, isDated: false }
    expect(timeFactor(inMiddle, apart)).toBe(1)
  })
  test.each(['today', 'right now', 'this year'])('%s raises what is said now, and lowers nothing', time => {
    const at = (happenedAt: Date | null) =>
      timeFactor({ happenedAt, statedAt: new Date('2024-06-10'), isDated: false }, question)
    const question = readQuestion(`Where do I live ${time}?`, NOW)
    expect([NOW, new Date('2024-06-10'), null].map(at)).toEqual([1.3, 1, 1])
  })
  test.each([
    ['which sun cream', '2026-05-31'],
    ['24/7 shop', '2025-07-24'],
    ['what is in room 2024', '2024-05-05'],
    ['who sat there', '2026-05-30'],
    ['how to march in step', '2026-03-10'],
    ['What did June say?', '2026-06-10'],
  ])('lowers nothing, and raises little, by words that may mean no time: %s', (query, day) => {
    const at = (happenedAt: string) =>
      timeFactor({ happenedAt: new Date(happenedAt), statedAt: NOW, isDated: false }, question)
    const question = readQuestion(query, NOW)
    expect([at(day), at('2019-01-10')]).toEqual([1.1, 1])
  })
  test.each(['in march', 'since March', 'my trip in 2024', 'on Sunday', 'March 2024', 'what did we do 2024'])(
    'lowers what happened at another time: %s',
    query => {
      const question = readQuestion(query, NOW)
      expect(timeFactor({ happenedAt: new Date('2019-01-10'), statedAt: NOW, isDated: false }, question)).toBe(0.7)
    },
  )
  test('is that of which it was said, for its age, its order and the dates of a query alike', () => {
    const said = (day: string) => ({ statedAt: new Date(`${day}T00:00:00Z`), isDated: true })
    const [old, recent] = [text('old', 'We met.', said('2026-03-10')), text('recent', 'We met.', said('2026-05-28'))]
    expect(order([old, recent], 'whom did we meet')).toEqual(['recent', 'old'])
    expect(order([recent, old], 'whom did we meet in March 2026')).toEqual(['old', 'recent'])
    const question = readQuestion('Whom did we meet in March 2026?', NOW)
    expect([old, recent].map(one => timeFactor(one, question))).toEqual([1.3, 0.7])
  })
  test('raises a memory by its time of writing, but never lowers it', () => {
    expect(order([march, unknown], 'meeting in March 2026')).toEqual(['march', 'unknown'])
    expect(order([march, unknown], 'meeting in 2019')).toEqual(['unknown', 'march'])
  })
})

describe('feedback', () => {
  test('raises even memories without other evidence, and lowers without hiding', () => {
    expect(withFeedback(0, 1)).toBeGreaterThan(0)
    expect(withFeedback(1, 0)).toBe(1)
    expect(withFeedback(1, -1)).toBeWithin(0.01, 0.9)
  })
  test('moves results of a ranking', () => {
    const feedback = new Map([['b', 1]])
    expect(order([text('a', 'x', { cosine: 0.55 }), text('b', 'x')], 'q', { feedback })).toEqual(['b', 'a'])
  })
})

describe('signals', () => {
  test('have a row each in docs/search.md, and no row is of another', async () => {
    const page = await readFile(new URL('../../../docs/search.md', import.meta.url), 'utf8')
    const table = page.slice(page.indexOf('| Signal |'), page.indexOf('`SEARCH_WITHOUT='))
    expect([...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, id]) => id)).toEqual([...SIGNAL_IDS])
  })
  test.each([...SIGNAL_IDS])('%s can be left out', signal => {
    const fields = { sessionId: 's', positions: new Map([['tea', [1]], ['drink', [2]]]) } // biome-ignore format: a row
    const given = [
      text('a', 'Ada: It was Monday.', { ...fields, sessionPosition: 0, priority: 'HIGH', happenedAt: NOW }),
      text('b', 'Bob: Was it two?', { ...fields, sessionPosition: 1 }),
    ]
    const asked: Partial<RankingContext> = {
      question: readQuestion('When did Ada drink tea in June 2026?', NOW),
      feedback: new Map([['a', 0.5]]),
      connections: new Map([['a', { entities: 0.5, facts: 0.5 }]]),
      ended: new Map([['a', []]]),
      likenesses: new Map([['a', 0.5], ['b', 0.2]]), // biome-ignore format: a row
    }
    const scoreOf = (without: RankingContext['without']) =>
      rank(given, context({ ...asked, ...(without ? { without } : {}) })).map(one => one.score)
    expect(scoreOf(new Set([signal]))).not.toEqual(scoreOf(undefined))
  })
})
