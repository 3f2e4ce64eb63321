import { expect, test } from 'bun:test'
import { datesIn } from './index.ts'

/** A Wednesday. */
const NOW = new Date('2026-06-17T15:00:00Z')
const spans = (text: string, language: string) =>
  datesIn(text, NOW, { language }).map(({ start, end }) => `${day(start)} ${day(end)}`)

function day(instant: Date): string {
  return instant.toISOString().slice(0, instant.getUTCHours() === 0 ? 10 : 13)
}

const THIS_WEEK = '2026-06-15 2026-06-22'
const THREE_DAYS = '2026-06-14 2026-06-17T15'
const TWO_WEEKS = '2026-06-03 2026-06-17T15'
const SINCE_MONDAY = '2026-06-15 9999-12-31T23'
const RECENTLY = '2026-05-18 2026-06-18'
const IN_MAY = '2026-05-03 2026-05-11'
const LAST_WEEK = '2026-06-08 2026-06-15'
const UNTIL_MAY = '0001-01-01 2026-05-03'

test.each<[string, ...string[]]>([
  [
    'en',
    'this week',
    'the last three days',
    'the past 2 weeks',
    'since Monday',
    'recently',
    'between 3 May and 10 May',
    'before 3 May',
  ],
  [
    'de',
    'diese Woche',
    'den letzten 3 Tagen',
    'den vergangenen zwei Wochen',
    'seit Montag',
    'kürzlich',
    'zwischen dem 3. Mai und dem 10. Mai',
    'vor dem 3. Mai',
  ],
  [
    'fr',
    'cette semaine',
    'ces trois derniers jours',
    'les 2 dernières semaines',
    'depuis lundi',
    'récemment',
    'entre le 3 mai et le 10 mai',
    'avant le 3 mai',
  ],
  [
    'es',
    'esta semana',
    'los últimos tres días',
    'las últimas 2 semanas',
    'desde el lunes',
    'últimamente',
    'entre el 3 de mayo y el 10 de mayo',
    'antes del 3 de mayo',
  ],
  [
    'pt',
    'esta semana',
    'os últimos três dias',
    'as últimas 2 semanas',
    'desde segunda-feira',
    'recentemente',
    'entre 3 de maio e 10 de maio',
    'antes de 3 de maio',
  ],
  [
    'nl',
    'deze week',
    'de afgelopen drie dagen',
    'de laatste 2 weken',
    'sinds maandag',
    'onlangs',
    'tussen 3 mei en 10 mei',
    'voor 3 mei',
  ],
  [
    'sv',
    'den här veckan',
    'de senaste tre dagarna',
    'de senaste 2 veckorna',
    'sedan måndag',
    'nyligen',
    'mellan 3 maj och 10 maj',
    'före 3 maj',
  ],
  [
    'ru',
    'этой неделе',
    'последние три дня',
    'последние 2 недели',
    'с понедельника',
    'недавно',
    'между 3 мая и 10 мая',
    'до 3 мая',
  ],
])('%s: spans up to now, of now and between dates', (language, ...phrases) => {
  const expected = [THIS_WEEK, THREE_DAYS, TWO_WEEKS, SINCE_MONDAY, RECENTLY, IN_MAY, UNTIL_MAY]
  expect(phrases.map(phrase => spans(phrase, language))).toEqual(expected.map(span => [span]))
})

test.each([
  ['en', 'What did I do this month?', '2026-06-01 2026-07-01'],
  ['en', 'in the last few days', '2026-06-10 2026-06-17T15'],
  ['en', 'over the past year', '2025-06-17 2026-06-17T15'],
  ['en', 'in the last 24 hours', '2026-06-16T15 2026-06-17T15'],
  ['en', 'between March and May', '2026-03-01 2026-06-01'],
  ['en', 'between November and February', '2025-11-01 2026-03-01'],
  ['en', 'between May and July 2024', '2024-05-01 2024-08-01'],
  ['en', 'between 9 May and 11 May 2024', '2024-05-09 2024-05-12'],
  ['en', 'between 2020 and 2022', '2020-01-01 2023-01-01'],
  ['en', 'last weekend', '2026-06-13 2026-06-15'],
  ['en', 'this weekend', '2026-06-20 2026-06-22'],
  ['es', 'la semana pasada', LAST_WEEK],
  ['it', 'la settimana scorsa', LAST_WEEK],
  ['it', 'negli ultimi tre giorni', THREE_DAYS],
  ['pt', 'na semana passada', LAST_WEEK],
  ['nl', 'vorige week', LAST_WEEK],
  ['sv', 'förra veckan', LAST_WEEK],
  ['ru', 'на прошлой неделе', LAST_WEEK],
  ['es', 'el viernes pasado', '2026-06-12 2026-06-13'],
])('%s: %s', (language, text, span) => {
  expect(spans(text, language)).toEqual([span])
})

test.each([
  ['What did I say this time?', 'en'],
  ['the last few pages', 'en'],
  ['Qual é a última cor?', 'pt'],
  ['a choice between Anna and Marta', 'en'],
])('no time: %s', (text, language) => {
  expect(spans(text, language)).toEqual([])
})

test('days begin in the time zone that is given', () => {
  const read = (text: string, zone: string) =>
    datesIn(text, new Date('2026-06-17T02:00:00Z'), { zone }).map(({ start, end }) => [start, end])
  const at = (...instants: string[]) => instants.map(instant => new Date(instant))
  expect(read('today', 'UTC')).toEqual([at('2026-06-17T00:00:00Z', '2026-06-18T00:00:00Z')])
  expect(read('today', 'America/New_York')).toEqual([at('2026-06-16T04:00:00Z', '2026-06-17T04:00:00Z')])
  expect(read('yesterday', 'Asia/Kolkata')).toEqual([at('2026-06-15T18:30:00Z', '2026-06-16T18:30:00Z')])
  // The clocks were changed in that month.
  expect(read('in March 2026', 'Europe/Lisbon')).toEqual([at('2026-03-01T00:00:00Z', '2026-03-31T23:00:00Z')])
  expect(read('since Monday', 'America/New_York')).toEqual([at('2026-06-15T04:00:00Z', '9999-12-31T23:59:59.999Z')])
})
