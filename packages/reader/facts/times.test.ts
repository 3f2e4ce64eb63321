import { describe, expect, test } from 'bun:test'
import { factsOfText } from './reading.test-support.ts'

/** Each relation of a text of 1 March 2026 as `-TYPE from..to`, with `-` before what closes and `~` before what only ends. */
function times(text: string): string[] {
  const read = factsOfText(text)
  const relations = read.relations.map(
    ({ type, closes, validFrom, validTo }) => `${closes ? '-' : ''}${type} ${validFrom ?? ''}..${validTo ?? ''}`,
  )
  return [...relations, ...read.endings.map(({ type, validTo }) => `~${type} ..${validTo ?? ''}`)]
}

describe('the end that a text tells', () => {
  test.each([
    ['goes with words that end something', 'I am leaving Acme in June 2027.', ['-WORKS_AT ..2027-06']],
    ['goes with words that only end', 'I gave up coffee in January 2026.', ['~LIKES ..2026-01']],
    ['is no end of now while it is to come', 'We are getting divorced in June 2027.', []],
    ['is over with the last day it may mean', 'I live in Porto until 2025.', ['-LIVES_IN ..2025']],
    ['is not over while it may mean a day to come', 'I live in Porto until 2026.', ['LIVES_IN ..2026']],
    ['is not a date of another verb', "I'm done with Acme, which I joined in 2015.", ['~LIKES ..', '~WORKS_AT ..']],
    ['nor one behind a pronoun', "I'm done with Acme, which in 2015 hired me.", ['~LIKES ..', '~WORKS_AT ..']],
    ['nor one of what is left', 'I left Acme, which I joined in 2015.', ['-WORKS_AT ..', '~MARRIED_TO ..']],
    ['nor one of a liking', 'I gave up coffee, which I discovered in 2015.', ['~LIKES ..']],
    ['may open its sentence', 'In January 2026 I gave up coffee, which I found in 2015.', ['~LIKES ..2026-01']],
    ['may be told from today', "I'm done with Acme since last month.", ['~LIKES ..2026-02', '~WORKS_AT ..2026-02']],
    [
      'may stand with a begin',
      'I left Acme, where I worked from 2015 to 2018.',
      ['-WORKS_AT 2015..2018', '~MARRIED_TO ..2018'],
    ],
    ['is none where it is a placeholder', 'I live in Porto until 0001-01-01.', ['LIVES_IN ..']],
  ])('%s', (_, text, expected) => {
    expect(times(text)).toEqual(expected)
  })
})
