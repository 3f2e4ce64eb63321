import { expect, test } from 'bun:test'
import { tellsFormerly, tellsNoLonger, tellsPast, tellsUnreal } from './negation.ts'

test.each([
  'She was there.',
  'He moved.',
  'She worked at Acme.',
  'Sie wohnte dort.',
  'Il habitait là.',
  'Vivía allí.',
  "jusqu'en 2020",
])('of the past: %s', text => {
  expect(tellsPast(text)).toBe(true)
})

test.each(['She is there.', 'A red bed.', 'Sie wohnt dort.', 'Vive allí.', ''])('not of the past: %s', text => {
  expect(tellsPast(text)).toBe(false)
})

test.each([
  'no longer works',
  'not any more',
  'wohnt nicht mehr',
  'mag keinen Salat, keinen mehr',
  'ya no vive',
  "n'habite plus",
  "n' aime vraiment plus",
  'ne fume plus',
])('no longer holds: %s', text => {
  expect(tellsNoLonger(text)).toBe(true)
})

test('of one language only the wordings of that one count', () => {
  expect(tellsNoLonger('no longer', 'de')).toBe(false)
  expect(tellsNoLonger('nicht mehr', 'de')).toBe(true)
  expect(tellsNoLonger('no longer', 'xx')).toBe(false)
  expect(tellsNoLonger('no long way, nor more')).toBe(false)
})

test('words before a verb say that it held once, or that it is only wished', () => {
  expect(tellsFormerly('used to')).toBe(true)
  expect(tellsFormerly('useful to')).toBe(false)
  for (const text of ['might', 'would love to', "'ll", 'möchte', 'is going to']) expect(tellsUnreal(text)).toBe(true)
  for (const text of ['mighty', 'works', 'goes to']) expect(tellsUnreal(text)).toBe(false)
})
