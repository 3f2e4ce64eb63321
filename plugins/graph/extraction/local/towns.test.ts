import { expect, test } from 'bun:test'
import { createLocalExtractor } from './local-extractor.ts'

async function read(text: string) {
  const memory = { id: '1', text, userId: 'u7', createdAt: new Date('2026-06-15T12:00:00Z') }
  const [extraction] = await createLocalExtractor().extract('w', [memory], AbortSignal.timeout(20_000))
  return {
    types: Object.fromEntries(extraction?.entities.map(({ name, type }) => [name, type]) ?? []),
    relations: extraction?.relations.map(({ type }) => type),
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
])('who has an office or a branch that is named after a town is a company: %s', async (text, types) => {
  expect((await read(text)).types).toMatchObject(types)
})

test.each([
  ['The Berlin team of Siemens met in Paris.', { Berlin: 'PLACE', Siemens: 'ORGANIZATION', Paris: 'PLACE' }],
  ['Tom joined our Lisbon office.', { Lisbon: 'PLACE', Tom: 'PERSON' }],
  ['Dan manages the Porto bakery of Ngozi Adeyemi.', { Porto: 'PLACE', 'Ngozi Adeyemi': 'PERSON' }],
  ['Lucia leads the Growth team.', { Growth: 'ORGANIZATION', Lucia: 'PERSON' }],
  ['I asked Sofia about the flight to Sydney.', { Sofia: 'PERSON', Sydney: 'PLACE' }],
])('a town before a noun stays a town, and a town that is asked is somebody: %s', async (text, types) => {
  expect((await read(text)).types).toMatchObject(types)
})

test.each([
  ['Ana is head of the Cairo office of Nilefoods.', 'WORKS_AT'],
  ['Ada left the Nagoya factory.', ''],
  ['I moved to the Boston area.', 'LIVES_IN'],
])('nobody works at a town whose office it is, nor leaves the town with it: %s', async (text, relations) => {
  expect((await read(text)).relations?.join()).toBe(relations)
})

test('a town that tells which branch is meant is nobody, and nobody manages it', async () => {
  expect(await read('Rosa Vidal runs the Porto branch of Velmar')).toEqual({
    types: { Velmar: 'ORGANIZATION', 'Rosa Vidal': 'PERSON', Porto: 'PLACE' },
    relations: ['WORKS_AT'],
  })
})
