import { expect, test } from 'bun:test'
import { denialsIn, denies, deniesVerb, tellsEnd, tellsException } from './negation.ts'

test.each([
  "I don't like coffee.",
  'I DON’T like coffee.',
  'i dont like coffee',
  'Ich trinke keinen Kaffee.',
  'Je n’aime pas le café.',
  'No me gusta el café.',
  'Non mi piace il caffè.',
  'Não gosto de café.',
  'Ik lust geen koffie.',
  'Jag dricker inte kaffe.',
  'Я не люблю кофе.',
  'Δεν πίνω καφέ.',
  'لا أحب القهوة.',
  'من قهوه نمی‌خورم.',
  'אני לא אוהב קפה.',
  'मुझे कॉफ़ी पसंद नहीं है।',
  '私はコーヒーが好きではない。',
  'コーヒーは飲みません。',
  '我不喜欢咖啡。',
  '커피를 좋아하지 않아요.',
  'ผมไม่ชอบกาแฟ',
  'Tôi không thích cà phê.',
])('denies: %s', text => {
  expect(denies(text)).toBe(true)
  expect(denies(text.normalize('NFD'))).toBe(true)
})

test.each([
  'I like coffee.',
  'A notable nothingness, noted in November.',
  'Ich trinke Kaffee.',
  "J'aime le café.",
  'Me gusta el café.',
  'Я люблю кофе.',
  'أحب القهوة.',
  'אני אוהב קפה.',
  '私はコーヒーが好きです。',
  '我喜欢咖啡。',
  '커피를 좋아해요.',
  'ผมชอบกาแฟ',
])('does not deny: %s', text => {
  expect(denies(text)).toBe(false)
})

test.each(['I gave up coffee.', 'I used to smoke.', 'Früher habe ich geraucht.', 'Ya no fumo.', 'Dejé de fumar.'])(
  'tells an end: %s',
  text => {
    expect(tellsEnd(text)).toBe(true)
    expect(tellsException(text)).toBe(true)
  },
)

test.each(['I am allergic to nuts.', 'Only tea.', 'I left Acme.', 'Je ne fume plus.'])(
  'tells an exception: %s',
  text => {
    expect(tellsException(text)).toBe(true)
    expect(tellsEnd(text)).toBe(false)
  },
)

test.each(['I smoke.', 'A quiet stopover.', 'Ich rauche.', 'Fumo.'])('tells neither: %s', text => {
  expect(tellsException(text)).toBe(false)
})

test.each([
  ["I don't like it, nor does she.", ['nor', "n't"]],
  ['tea without milk', ['without']],
  ['notes about the nothing band', []],
  ['all except Ben', ['except']],
  ['wer nicht kommt', ['nicht']],
  ['not now, not ever', ['not', 'not']],
])('denials in %s', (text, denials) => {
  expect(denialsIn(text)).toEqual(denials)
})

test.each(["doesn't work", 'has never been', 'arbeitet nicht', 'n’aime pas', 'no trabaja', '好きではない', '不喜欢'])(
  'denies its verb: %s',
  text => {
    expect(deniesVerb(text)).toBe(true)
  },
)

test.each(['works without', 'a notable', 'drinks nothing'])('does not deny its verb: %s', text => {
  expect(deniesVerb(text)).toBe(false)
})
