import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { sentencesIn } from './sentences.ts'

const texts = (text: string, quotationsWithin?: number) =>
  sentencesIn(text, quotationsWithin === undefined ? {} : { quotationsWithin }).map(sentence => sentence.text)

describe('sentences', () => {
  test.each([
    ['I live in Porto. I work at Acme!  Do you?', ['I live in Porto.', 'I work at Acme!', 'Do you?']],
    ['So do I. Ada stays.', ['So do I.', 'Ada stays.']],
    ['Ada met Dr. Okafor. They talked.', ['Ada met Dr. Okafor.', 'They talked.']],
    ['J. R. Tolkien wrote it. I read it.', ['J. R. Tolkien wrote it.', 'I read it.']],
    ['See Fig. 3 and Abs. 2 of it. Then stop.', ['See Fig. 3 and Abs. 2 of it.', 'Then stop.']],
    ['I love Art. She does not.', ['I love Art.', 'She does not.']],
    ['Ich mag Obst, z. B. Äpfel und z.B. Birnen. Du?', ['Ich mag Obst, z. B. Äpfel und z.B. Birnen.', 'Du?']],
    ['i live in Lisbon. ok thanks! bye', ['i live in Lisbon.', 'ok thanks!', 'bye']],
    ['approx. five, etc. and so on', ['approx. five, etc. and so on']],
    ['am 3. mai... ok', ['am 3. mai... ok']],
    ['猫を飼っています。名前はタマです。', ['猫を飼っています。', '名前はタマです。']],
    ['one line\nanother line', ['one line', 'another line']],
    ['with Dr.\nOkafor', ['with Dr.', 'Okafor']],
    ['version 1.2.3 of example.dev is out', ['version 1.2.3 of example.dev is out']],
    ['See https://a.org/?b=1 now. Bye', ['See https://a.org/?b=1 now.', 'Bye']],
    ['https://a.org。猫です。', ['https://a.org。', '猫です。']],
    ['', []],
    [' \n\t ', []],
  ])('of %j', (text, expected) => {
    expect(texts(text)).toEqual(expected)
  })

  test.each([
    '"Never again. I swear." she said.',
    'Er sagte: „Nie wieder. Ich schwöre es.“',
    '彼は「もう行かない。本当だ。」',
  ])('a closed quotation stays in one where that is asked for: %s', text => {
    expect(texts(text, 1000)).toEqual([text])
    expect(texts(text).length).toBeGreaterThan(1)
  })

  test('a quotation that is not closed, or too long, or ends on another line holds nothing together', () => {
    expect(texts('He said "Never again. I swear.', 1000)).toHaveLength(2)
    expect(texts('"Never again. I swear." she said.', 15)).toHaveLength(2)
    expect(texts('"Never again. I swear.\n" she said.', 1000)).toHaveLength(3)
  })

  test('stand in the text in order, without gaps but white space', () => {
    const pieces = fc.constantFrom(
      'Dr. ',
      'I. ',
      'z. B. ',
      '"',
      '“',
      '”',
      '. ',
      '! ',
      '\n',
      ' ',
      'Ada',
      'Fig. 3',
      '。',
      '🦊',
      '\ud800',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), fc.nat(60), (parts, quotationsWithin) => {
        const text = parts.join('')
        let at = 0
        for (const { text: sentence, start, end } of sentencesIn(text, { quotationsWithin })) {
          expect(text.slice(at, start).trim()).toBe('')
          expect(text.slice(start, end)).toBe(sentence)
          expect(sentence).toBe(sentence.trim())
          at = end
        }
        expect(text.slice(at).trim()).toBe('')
      }),
    )
  })
})
