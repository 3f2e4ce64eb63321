import { expect, test } from 'bun:test'
import { filedByHints, type RelationType } from './kinds.ts'
import { keptOf, partsOf } from './statements.ts'

const kept = (text: string, about: { isFirstPerson?: boolean; names?: number } = {}) =>
  keptOf(text, {
    span: { start: 0, end: text.length },
    relations: [],
    names: about.names ?? 0,
    isFirstPerson: about.isFirstPerson ?? false,
  })

test.each([
  ['When Anna is away, Ben runs the shop.'],
  ['What is important to me is my family'],
  ['Which is why I moved to Porto.'],
  ['Comment threads on Reddit annoy me.'],
])('%s begins like a question, and is none', text => {
  expect(kept(text, { names: 1 })?.text).toBe(text)
})

test.each([
  ["I'm divorced.", { isFirstPerson: true }],
  ['I am vegetarian.', { isFirstPerson: true }],
  ['Sofia replaced Arjun.', { names: 2 }],
  ['The SLA is 99.95 %.', {}],
  ['我住在北京。', {}],
  ['私はコーヒーが好きです。', {}],
])('%s is kept, short as it is', (text, about) => {
  expect(kept(text, about)?.text).toBe(text)
})

test.each([
  ['Do you live in Berlin?'],
  ['東京に住んでいますか？'],
  ['日本の会社で働いていますか。'],
  ['你住在北京市朝阳区吗？'],
  ['هل تسكن في مدينة دبي؟'],
  ['¿Vives en Madrid'],
])('%s asks, and states nothing', text => {
  expect(kept(text, { names: 1 })).toBeUndefined()
})

test('a sentence that no sign ends is cut behind clauses or at spaces, and nothing of it is lost', () => {
  const cut = (text: string) =>
    partsOf(text, { start: 0, end: text.length }).map(({ start, end }) => text.slice(start, end))
  const chat = Array.from({ length: 40 }, (_, n) => `i moved to town number ${n} with my dog`)
  expect(cut(chat.join(', ')).every(part => part.length <= 500 && /dog,?$/.test(part))).toBe(true)
  expect(cut(chat.join(' ')).join(' ')).toBe(chat.join(' '))
  const thai = Array.from({ length: 30 }, () => 'ฉันอาศัยอยู่ที่กรุงเทพมหานครและทำงานที่โรงพยาบาล').join(' ')
  expect(cut(thai).join(' ')).toBe(thai)
  expect(cut(thai).every(part => kept(part) !== undefined)).toBe(true)
  expect(cut('short')).toEqual(['short'])
  expect(cut(`${'x'.repeat(1_200)} and back`)).toEqual(['and back'])
})

test.each([
  ['I agree.', { isFirstPerson: true }],
  ["I'm so tired", { isFirstPerson: true }],
  ['Ich weiß nicht', { isFirstPerson: true }],
  ['Good idea.', {}],
  ['Thanks Ana!', { names: 1 }],
  ['12.5 | 13.0 | 14.1 | a', {}],
])('%s tells nothing', (text, about) => {
  expect(kept(text, about)).toBeUndefined()
})

test.each([
  ['My ex-husband Pablo moved to Valencia in 2019.', 'relationships'],
  ['Mi hermana Carmen vive en Madrid.', 'relationships'],
  ['Meine Frau arbeitet bei Siemens.', 'relationships'],
  ['My office is on the third floor.', 'work_context'],
  ['I prefer emails over calls.', 'communication_style'],
  ['I want to see my mother in May.', 'goals'],
])('%s is filed under %s', (text, category) => {
  const found = kept(text, { isFirstPerson: true })
  expect<string | undefined>(found?.category ?? (found && filedByHints(found.hints))).toBe(category)
})

const hintsOf = (text: string, relations: readonly RelationType[]) =>
  keptOf(text, { span: { start: 0, end: text.length }, relations, names: 2, isFirstPerson: false })

test('facts of one kind file a sentence; facts of several kinds, and words, are hints', () => {
  expect(hintsOf('Ana lives in Oslo', ['LIVES_IN'])?.category).toBe('personal')
  const both = hintsOf("The user's sister Ana lives in Oslo", ['LIVES_IN', 'RELATED_TO'])
  expect(both?.category).toBeUndefined()
  expect(both?.hints).toEqual({
    weights: new Map([
      ['personal', 0.2],
      ['relationships', 0.2],
    ]),
    areAll: true,
  })
  const word = hintsOf('The train stops at the old library', [])
  expect(word?.hints).toEqual({ weights: new Map([['tech_stack', 0.15]]), areAll: false })
  expect(hintsOf('Ana went to Oslo', ['VISITED'])?.category).toBe('general')
})
