import { describe, expect, test } from 'bun:test'
import { factsOfText } from './reading.test-support.ts'

/** Each as `TYPE name`, `*` where nothing is named. */
function endings(text: string): string[] {
  const read = factsOfText(text, { createdAt: new Date('2026-06-01T12:00:00Z') })
  return read.endings.map(
    ({ type, target }) => `${type} ${target === null ? '*' : (read.entities[target]?.name ?? '')}`,
  )
}

describe('words that only end', () => {
  test.each([
    ['I got laid off.', ['WORKS_AT *']],
    ['I lost my job.', ['WORKS_AT *']],
    ["I'm single again.", ['MARRIED_TO *']],
    ['Marta Silva is divorced now.', ['MARRIED_TO *']],
    ['I broke up with Ben.', ['MARRIED_TO Ben']],
    ['Ich bin geschieden.', ['MARRIED_TO *']],
    ['I quit last week.', ['WORKS_AT *']],
    ['Marta Silva quit on Monday.', ['WORKS_AT *']],
    ['I resigned two weeks ago.', ['WORKS_AT *']],
    ['Ich habe gestern gekündigt.', ['WORKS_AT *']],
    ["Je viens d'être licenciée.", ['WORKS_AT *']],
    ['I gave up coffee last month.', ['LIKES coffee']],
  ])('%s', (text, ends) => {
    expect(endings(text)).toEqual(ends)
  })

  test.each([
    'I nearly got fired.',
    'I got fired in 2012.',
    'I resigned 8 months ago.',
    'I retired a long time ago.',
    'Ich habe mein Abo gekündigt.',
    'My laptop quit on Monday.',
    'Did I get laid off?',
    'I left Ana a note.',
    'I was laid off by Acme.',
    'If I am laid off, I will travel.',
  ])('are not read where nothing ends now, or what ends is named and told: %s', text => {
    expect(endings(text)).toEqual([])
  })
})
