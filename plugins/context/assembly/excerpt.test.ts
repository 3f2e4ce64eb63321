import { describe, expect, test } from 'bun:test'
import { finish } from 'mneme/plugin'
import { excerpt, stemsIn } from './excerpt.ts'

const FILLER = 'The meeting went on without a result for another while. '
const part = (text: string, query: string, max: number) => finish(excerpt(text, new Set(stemsIn(query)), max))

describe('an excerpt', () => {
  const text = `${FILLER.repeat(20)}Grace is allergic to walnuts. She carries a pen. ${FILLER.repeat(20)}`.trim()

  test('is the part that holds the words of the query in any of their forms, amid what goes before and after', () => {
    const found = part(text, 'Which allergies does Grace have, is it a walnut?', 240)
    expect(found).toEqual({
      text: `… ${FILLER}Grace is allergic to walnuts. She carries a pen. ${FILLER}${FILLER.trim()} …`,
      isWhole: false,
    })
  })

  test('is the beginning where the text has no word of the query', () => {
    expect(part(text, 'Portugal', 150).text).toBe(`${FILLER}${FILLER.trim()} …`)
  })

  test('goes by the words that few of its sentences have, in any language', () => {
    const german = `${'Ich kaufe für die Firma ein. '.repeat(20)}Anna isst keinen Fisch. ${'Ich rufe für Max an. '.repeat(20)}`
    expect(part(german, 'Was soll ich für Anna kochen?', 90).text).toContain('Anna isst keinen Fisch.')
  })

  test('ends without a mark where the text ends', () => {
    expect(part(`${FILLER.repeat(9)}Grace eats fish.`, 'fish', 80).text).toBe(`… ${FILLER}Grace eats fish.`)
  })

  test('of lines without full stops holds the line that was asked for', () => {
    const lines = Array.from({ length: 60 }, (_, n) => (n === 45 ? '- Grace avoids walnuts' : `- ${n} | stored dry`))
    expect(part(lines.join('\n'), 'walnuts', 100).text).toContain('- Grace avoids walnuts -')
  })

  test('of one long sentence holds the words that were asked for', () => {
    const speech = `${'and then we went on '.repeat(100)}to the walnuts of Grace ${'and then we went on '.repeat(100)}`
    expect(part(speech, 'walnuts', 120).text).toContain('to the walnuts of Grace')
  })

  test('of a script without spaces is found by its words', () => {
    const japanese = part(`${'猫は寝る。'.repeat(30)}犬は京都で走る。${'猫は寝る。'.repeat(30)}`, '京都の犬', 40).text
    expect(japanese).toContain('犬は京都で走る。')
    expect(part(`${'猫は家で寝る'.repeat(80)}犬は京都で走る${'猫は家で寝る'.repeat(80)}`, '京都', 60).text).toContain(
      '京都',
    )
  })

  test('is the whole of a text that fits once its spaces are single ones', () => {
    expect(part(`a${' '.repeat(900)}b`, 'a', 100)).toEqual({ text: 'a b', isWhole: true })
    expect(part(' \n ', 'a', 100)).toEqual({ text: '', isWhole: true })
  })

  test.each([
    ['one word', 'x'.repeat(5000)],
    ['signs of two units', '😀'.repeat(3000)],
    ['signs that are made of several', '👩‍🚀'.repeat(1000)],
    ['spaces between', `a${' '.repeat(3000)}b c`],
    ['a long word after a short one', `See ${'x'.repeat(500)}`],
  ])('never has half a sign, nor more than it may: %s', (_, long) => {
    for (const max of [90, 91, 200]) {
      const { text: told } = part(long, 'b', max)
      expect(told.length).toBeLessThanOrEqual(max)
      expect([told.isWellFormed(), told.length > max / 2 || told.includes('b')]).toEqual([true, true])
    }
  })
})
