import { expect, test } from 'bun:test'
import { keptOf } from './statements.ts'

const kept = (text: string, about: { isFirstPerson?: boolean; names?: number } = {}) =>
  keptOf(text, {
    span: { start: 0, end: text.length },
    relations: [],
    names: about.names ?? 0,
    isFirstPerson: about.isFirstPerson ?? false,
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
  expect(kept(text, { isFirstPerson: true })).toMatchObject({ category })
})
