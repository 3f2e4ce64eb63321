import { expect, test } from 'bun:test'
import { factsOfText } from './reading.test-support.ts'

function read(text: string) {
  const { entities, relations } = factsOfText(text)
  return {
    types: Object.fromEntries(entities.map(({ name, type }) => [name, type])),
    relations: relations.map(({ type }) => type),
  }
}

test.each([
  [
    'Tom Becker manages the Berlin office of Contoso.',
    { Contoso: 'ORGANIZATION', Berlin: 'PLACE', 'Tom Becker': 'PERSON' },
  ],
  ['Ken supervises the Osaka team of Tailspin.', { Tailspin: 'ORGANIZATION', Osaka: 'PLACE', Ken: 'PERSON' }],
  ['She joined the Madrid office of Wingtip.', { Wingtip: 'ORGANIZATION', Madrid: 'PLACE' }],
  ['Yuki manages the Kyoto store of Hanamori.', { Hanamori: 'ORGANIZATION', Kyoto: 'PLACE', Yuki: 'PERSON' }],
  ["Contoso's Berlin office is managed by Tom Becker.", { Contoso: 'ORGANIZATION', Berlin: 'PLACE' }],
  ['Ada visited the Munich branch of Fabrikam on Monday.', { Fabrikam: 'ORGANIZATION', Munich: 'PLACE' }],
  ['Léa dirige la succursale de Novatel à Lyon.', { Novatel: 'ORGANIZATION', Lyon: 'PLACE' }],
  ['I met them in the office of Ngozi Adeyemi.', { 'Ngozi Adeyemi': 'PERSON' }],
])('who has an office or a branch that is named after a town is a company: %s', (text, types) => {
  expect(read(text).types).toMatchObject(types)
})

test.each([
  ['The Berlin team of Siemens met in Paris.', { Berlin: 'PLACE', Siemens: 'ORGANIZATION', Paris: 'PLACE' }],
  ['Tom joined our Lisbon office.', { Lisbon: 'PLACE', Tom: 'PERSON' }],
  ['Dan manages the Porto bakery of Ngozi Adeyemi.', { Porto: 'PLACE', 'Ngozi Adeyemi': 'PERSON' }],
  ['Lucia leads the Growth team.', { Growth: 'ORGANIZATION', Lucia: 'PERSON' }],
  ['I asked Sofia about the flight to Sydney.', { Sofia: 'PERSON', Sydney: 'PLACE' }],
])('a town before a noun stays a town, and a town that is asked is somebody: %s', (text, types) => {
  expect(read(text).types).toMatchObject(types)
})

test.each([
  ['Ana is head of the Cairo office of Nilefoods.', 'WORKS_AT'],
  ['Ada left the Nagoya factory.', ''],
  ['I moved to the Boston area.', 'LIVES_IN'],
])('nobody works at a town whose office it is, nor leaves the town with it: %s', (text, relations) => {
  expect(read(text).relations.join()).toBe(relations)
})

test('a town that tells which branch is meant is nobody, and nobody manages it', () => {
  expect(read('Rosa Vidal runs the Porto branch of Velmar')).toEqual({
    types: { Velmar: 'ORGANIZATION', 'Rosa Vidal': 'PERSON', Porto: 'PLACE' },
    relations: ['WORKS_AT'],
  })
})
