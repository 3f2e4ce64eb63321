import { expect, test } from 'bun:test'
import { describeLinear } from '../../test/support/pumped.ts'
import { withoutClitics, writtenOut } from './clitics.ts'
import { languageDetector } from './detection.ts'
import { firstPersonIn } from './first-person.ts'
import { monthOf } from './months.ts'
import { denialsIn, denies, deniesVerb, tellsException, tellsNoLonger, tellsPast, tellsUnreal } from './negation.ts'
import { foldWord, normalizeText, trimEndSigns, trimSigns, unicodeForm } from './normalize.ts'
import { numbersIn, tellsQuantity } from './quantities.ts'
import { askedIn, asks, beginsWithQuestionVerb, isQuestion } from './questions.ts'
import { sentencesIn, unwrapped } from './sentences.ts'
import { toldOfUser } from './third-person.ts'
import { wordSegments } from './words.ts'

/** A memory's text. */
const lengthMax = 50_000
const detector = await languageDetector()

describeLinear({
  unicodeForm: { read: text => [unicodeForm(text, 'NFC'), unicodeForm(text, 'NFKD')], lengthMax },
  trimSigns: { read: text => trimSigns(text, /[\p{P}\s]/u), lengthMax },
  normalizeText: { read: text => normalizeText(text), lengthMax },
  foldWord: { read: text => foldWord(normalizeText(text)), lengthMax },
  sentencesIn: { read: text => sentencesIn(unwrapped(text), { quotationsWithin: 1_000 }), lengthMax },
  denies: {
    read: text => [denies(text), tellsException(text), denialsIn(text).length],
    lengthMax,
    openings: ["n'", 'ne '],
  },
  deniesVerb: {
    read: text => [deniesVerb(text), tellsNoLonger(text), tellsUnreal(text), tellsPast(text)],
    lengthMax,
    openings: ["n'", 'ne ', 'no ', 'kein'],
  },
  numbersIn: { read: text => [numbersIn(text), tellsQuantity(text)], lengthMax },
  monthOf: { read: text => monthOf(text, ['en', 'de', 'es', 'fr']), lengthMax },
  wordSegments: { read: text => [...wordSegments(text)].length, lengthMax },
  firstPersonIn: { read: text => firstPersonIn(text), lengthMax },
  askedIn: { read: text => [askedIn(text), beginsWithQuestionVerb(text)], lengthMax, openings: ['with ', 'which '] },
  isQuestion: { read: isQuestion, lengthMax, openings: ['? ', 'の'] },
  asks: { read: asks, lengthMax, openings: ['how ', 'is ', 'wo '] },
  'what an apostrophe joins': { read: text => [withoutClitics(text), writtenOut(text, text)], lengthMax },
  toldOfUser: { read: toldOfUser, lengthMax: 1_000, openings: ['I live', 'My sister ', 'I'] },
  languageDetector: { read: text => [detector.detect(text), detector.likeliest(text, ['en', 'de'])], lengthMax },
})

test.each(['NFC', 'NFD', 'NFKC', 'NFKD'] as const)('a text with as many marks as writing has is in its %s', form => {
  for (const text of ['Grüße aus A\u030angstro\u0308m, ﬁn', 'ﾊﾟﾋﾟ', `a${'\u0301\u0316'.repeat(15)}`]) {
    expect(unicodeForm(text, form)).toBe(text.normalize(form))
  }
})

test('texts with more marks than that stay as different as they are', () => {
  const marks = '\u0301\u0316'.repeat(40)
  expect(unicodeForm(`a${marks}`, 'NFC')).not.toBe(unicodeForm(`a${marks}\u0301`, 'NFC'))
})

test('signs are trimmed from the ends alone', () => {
  expect(trimSigns('“(a, b)!”', /\p{P}/u)).toBe('a, b')
  expect(trimSigns('(a)', /\(/u, /x/u)).toBe('a)')
  expect(trimEndSigns('😀a😀😀', /\p{So}/u)).toBe('😀a')
  expect(trimSigns('…'.repeat(9), /\p{P}/u)).toBe('')
  expect(trimEndSigns('', /a/u)).toBe('')
})
