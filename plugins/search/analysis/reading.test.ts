import { describe, expect, test } from 'bun:test'
import { isFunctionWord } from 'mneme/plugin'
import { datesIn, instantOf } from 'text-reader/dates'
import { happenedAt } from '../indexing/write-hook.ts'
import { parseQuery, queryTerms } from './parse-query.ts'
import { readQuestion, readTraits } from './traits.ts'

const NOW = new Date('2026-06-15T12:00:00.000Z')
const spans = (text: string, language?: string) =>
  datesIn(text, NOW, { language }).map(({ start, end }) => [
    start.toISOString().slice(0, 10),
    end.toISOString().slice(0, 10),
  ])

describe('dates of a query', () => {
  test.each([
    ['on 5 July, 2023', ['2023-07-05', '2023-07-06']],
    ['in July 2023', ['2023-07-01', '2023-08-01']],
    ['in 2019', ['2019-01-01', '2020-01-01']],
    ['last May', ['2026-05-01', '2026-06-01']],
    ['last June', ['2025-06-01', '2025-07-01']],
    ['next May', ['2027-05-01', '2027-06-01']],
    ['in December', ['2025-12-01', '2026-01-01']],
    ['yesterday', ['2026-06-14', '2026-06-15']],
    ['two weeks ago', ['2026-06-01', '2026-06-08']],
    ['last week', ['2026-06-08', '2026-06-15']],
    ['next week', ['2026-06-22', '2026-06-29']],
    ['before last week', ['0001-01-01', '2026-06-08']],
    ['seven days ago', ['2026-06-08', '2026-06-09']],
    ['a week and a day ago', ['2026-06-07', '2026-06-08']],
    ['last Friday', ['2026-06-12', '2026-06-13']],
    ['before 2022', ['0001-01-01', '2022-01-01']],
    ['until the 5 July, 2023', ['0001-01-01', '2023-07-06']],
    ['by May 2023', ['0001-01-01', '2023-06-01']],
    ['since May 2023', ['2023-05-01', '9999-12-31']],
    ['after 2022', ['2023-01-01', '9999-12-31']],
    ['on 10.05.2022', ['2022-05-10', '2022-05-11']],
    ['before 31/12/2022', ['0001-01-01', '2022-12-31']],
    ['on 12/31/2022', ['2022-12-31', '2023-01-01']],
    ['from July 5 to July 8, 2023', ['2023-07-05', '2023-07-09']],
    ['on 2022-05-10', ['2022-05-10', '2022-05-11']],
  ])('%s', (text, span) => {
    expect(spans(`What happened ${text}?`)).toEqual([span])
  })
  test.each([
    ['on 9999-12-31T23:59:59Z', [['9999-12-31', '9999-12-31']]],
    ['in December 9999', [['9999-12-01', '9999-12-31']]],
    ['since 31.12.9999', [['9999-12-31', '9999-12-31']]],
    ['275759 years from now', []],
    ['999999999 days ago', []],
    ['in 300 BC', []],
    ['on +275760-09-13', []],
  ])('lie within the calendar: %s', (text, within) => {
    expect(spans(text)).toEqual(within)
  })
  test('a date with slashes may begin with the day or the month', () => {
    expect(spans('What happened on 10/05/2022?')).toEqual([
      ['2022-05-10', '2022-05-11'],
      ['2022-10-05', '2022-10-06'],
    ])
  })
  test('in other languages', () => {
    expect(spans('Was geschah vor Mai 2024?', 'de')).toEqual([['0001-01-01', '2024-05-01']])
    expect(spans('Was geschah vor zwei Wochen?', 'de')).toEqual([['2026-06-01', '2026-06-08']])
    expect(spans('Что было после мая 2024?', 'ru')).toEqual([['2024-06-01', '9999-12-31']])
    expect(spans('Was geschah im Mai 2024?', 'de')).toEqual([['2024-05-01', '2024-06-01']])
    expect(spans("Que s'est-il passé le 3 mars 2024 ?", 'fr')).toEqual([['2024-03-03', '2024-03-04']])
  })
  test('a week lies around the day from which it is counted', () => {
    const sunday = new Date('2026-01-04T23:00:00.000Z')
    const [last] = datesIn('last week', sunday)
    expect(last).toEqual({ start: new Date('2025-12-22'), end: new Date('2025-12-29') })
  })
  test.each([
    ['昨日は何を食べましたか', ['2026-06-14', '2026-06-15']],
    ['2023年5月3日に何をしましたか', ['2023-05-03', '2023-05-04']],
    ['私は2023年にどこに住んでいましたか', ['2023-01-01', '2024-01-01']],
    ['2023年5月はどこにいた?', ['2023-05-01', '2023-06-01']],
    ['昨天我做了什么?', ['2026-06-14', '2026-06-15']],
    ['我在2023年住在哪里?', ['2023-01-01', '2024-01-01']],
    ['我2023年5月去了哪里', ['2023-05-01', '2023-06-01']],
    ['2023년 5월 3일에 뭐 했어?', ['2023-05-03', '2023-05-04']],
    ['2023년에 어디 살았어?', ['2023-01-01', '2024-01-01']],
  ])('%s, in whatever language the workspace is', (text, span) => {
    for (const language of [undefined, 'en', 'de-CH', 'ja', 'zh']) {
      expect([language, spans(text, language)]).toEqual([language, [span]])
    }
  })
  test.each([
    ['Où étais-je dimanche ?', 'fr', false],
    ['Que dit la mer ?', 'fr', true],
    ['Warum ist das so teuer?', 'de', true],
    ['Wo war ich im März 2024?', 'en', false],
    ['¿Qué hotel da al mar?', 'es', true],
    ['¿A quién visité en agosto?', 'es', false],
    ['between 2020 and 2022', 'en', false],
    ['room 2024', 'en', true],
    ['金曜日に何をしましたか', 'en', false],
    ['星期五我做了什么', 'en', false],
  ])('%s (%s): words that may mean no time are marked', (text, language, isMarked) => {
    expect(datesIn(text, NOW, { language }).map(({ isDoubtful = false }) => isDoubtful)).toContain(isMarked)
  })
  test('a name in Han characters leaves the dates of a question as they are', () => {
    expect(spans('When did 田中 call last month?', 'en')).toEqual([['2026-05-01', '2026-06-01']])
    expect(spans('Was sagte 田中 letzten Mai 2024?', 'de')).toEqual([['2024-05-01', '2024-06-01']])
  })
  test.each(['2023円でした', '我有2023个苹果', '12023年', 'v1.2023年'])('no year: %s', text => {
    expect(spans(text)).toEqual([])
  })
  test.each(['What may she do?', 'build 20191', 'v2019.1', 'at 5 pm', 'room 2031/4'])('no date: %s', text => {
    expect(spans(text).filter(([start]) => start?.startsWith('20') && text.includes(start.slice(0, 4)))).toEqual([])
  })
})

describe('when a memory happened', () => {
  test.each([
    [{ date: '11:01 am on 17 December, 2022' }, '2022-12-17T11:01:00.000Z'],
    [{ timestamp: 1_700_000_000 }, '2023-11-14T22:13:20.000Z'],
    [{ sentAt: '2024-02-03T04:05:06Z' }, '2024-02-03T04:05:06.000Z'],
    [{ date: '2024-02-03', happened_at: '2020-01-01' }, '2020-01-01T00:00:00.000Z'],
  ])('%j', (metadata, instant) => {
    expect(happenedAt(metadata)?.toISOString()).toBe(instant)
  })
  test.each([null, {}, { date: 'soon' }, { date: 'May' }, { time: 5 }, { date: {} }, { date: 9e99 }])(
    'unknown: %j',
    metadata => {
      expect(happenedAt(metadata as Record<string, unknown> | null)).toBeNull()
    },
  )
  test('no value throws', () => {
    for (const value of [undefined, true, [], '', '2024-99-99', 'x'.repeat(1000), Number.NaN, -1]) {
      expect(instantOf(value)).toBeNull()
    }
  })
})

describe('traits of a text', () => {
  test.each([
    ['Ada: I am here.', 'ada'],
    ['Ada Lovelace: hello', 'ada lovelace'],
    ['田中: こんにちは', '田中'],
    ['田中:こんにちは', '田中'],
    ['田中：こんにちは', '田中'],
    ['ジョン・スミス：「はい」', 'ジョン・スミス'],
    ['Ada：你好', 'ada'],
    ['Re:view', null],
    ['TODO: buy milk', null],
    ['see: this', null],
    ['http://example.org', null],
  ])('speaker of %j', (text, speaker) => {
    expect(readTraits(text).speaker).toBe(speaker)
  })
  test.each([
    ['Is it? Yes.', 0.5, false],
    ['Yes. Is it?', 0.5, true],
    ['お元気ですか？', 1, true],
    ['Look! [a photo of a cat?]', 0, false],
    ['https://example.org/?a=1', 0, false],
    ['', 0, false],
  ])('asking in %j', (text, asking, endsAsking) => {
    expect(readTraits(text)).toMatchObject({ asking, endsAsking })
  })
  test.each([
    ['It was last week.', true],
    ['Am Dienstag.', true],
    ['вчера', true],
    ['昨日', true],
    ['at 10:30', true],
    ['It was fun.', false],
    ['2 of 3', false],
  ])('time in %j', (text, tellsTime) => {
    expect(readTraits(text).tellsTime).toBe(tellsTime)
  })
  test('quantities and names', () => {
    expect(readTraits('twice a day')).toMatchObject({ tellsQuantity: true, tellsName: false })
    expect(readTraits('I met Ada.')).toMatchObject({ tellsQuantity: false, tellsName: true })
    expect(readTraits('Nobody came.').tellsName).toBe(false)
  })
})

describe('questions', () => {
  test.each([
    ['When was it?', ['time']],
    ['¿Cuándo fue?', ['time']],
    ['How many are there?', ['quantity']],
    ['Wie viele sind da?', ['quantity']],
    ['Who is she?', ['name']],
    ['Где он?', ['name']],
    ['何人いますか', ['quantity']],
    ['What is it?', []],
    ['the time when it rained', []],
    ['whenever', []],
  ])('%s', (query, kinds) => {
    expect([...readQuestion(query, NOW).kinds]).toEqual(kinds as never)
  })
  test('keywords are no question', () => {
    expect(readQuestion('green tea', NOW).asks).toBe(false)
    expect(readQuestion('green tea?', NOW).asks).toBe(true)
    expect(readQuestion('what she drinks', NOW).asks).toBe(true)
  })
})

describe('function words', () => {
  test.each([
    ['¿Dónde está la llave de la oficina?', 'es', ['llav', 'oficin']],
    ['Wo ist der Schlüssel für das Büro?', 'de', ['schlussel', 'buro']],
    ['Où est la clé du bureau ?', 'fr', ['cle', 'bureau']],
    ['Where is the key of the office?', 'en', ['key', 'offic']],
  ])('%s keeps content words', (query, language, content) => {
    const { terms } = queryTerms(parseQuery(query, { languages: [language] }), language)
    expect(terms.filter(({ functional }) => !functional).map(({ term }) => term)).toEqual(content)
  })
  test('a language without a list uses that of English', () => {
    expect(isFunctionWord('the', 'sw')).toBe(true)
    expect(isFunctionWord('the', 'de')).toBe(false)
  })
})
