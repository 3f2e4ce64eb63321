import { describe, expect, test } from 'bun:test'
import { questionOf } from './gather.ts'

const trace = Array.from({ length: 300 }, (_, n) => `    at step${n} (/srv/app/steps.js:${n}:7)`).join('\n')

describe('the question of a message', () => {
  test('is the whole of a short one', () => {
    expect(questionOf(' What should I cook?\n')).toBe('What should I cook?')
    expect(questionOf('か'.repeat(1000))).toBe('か'.repeat(1000))
  })

  test('is what a long one begins and ends with', () => {
    const question = questionOf(
      `The deployment of Kestrel fails.\n${trace}\nWhom do I ask about the certificate of Kestrel?`,
    )
    expect(question).toStartWith('The deployment of Kestrel fails.')
    expect(question).toEndWith('Whom do I ask about the certificate of Kestrel?')
    expect(question.length).toBeLessThanOrEqual(1000)
  })

  test.each([
    ['one word', 'x'.repeat(50_000)],
    ['signs of two units', '🦊'.repeat(20_000)],
    ['Japanese', '明日は雨でしょう。'.repeat(5000)],
    ['Arabic', 'أين تسكن الآن؟ '.repeat(3000)],
    ['much space', `a${' '.repeat(40_000)}b`],
  ])('is never empty, too long or cut within a sign: %s', (_, message) => {
    const question = questionOf(message)
    expect(question.length).toBeLessThanOrEqual(1000)
    expect(question.trim()).not.toBe('')
    expect(question.isWellFormed()).toBe(true)
  })
})
