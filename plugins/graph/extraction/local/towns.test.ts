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
  ["Contoso's Berlin office is managed by Tom Becker.", { Contoso: 'ORGANIZATION', Berlin: 'PLACE' }],
  ['Ada visited the Munich branch of Fabrikam on Monday.', { Fabrikam: 'ORGANIZATION', Munich: 'PLACE' }],
  ['Léa dirige la succursale de Novatel à Lyon.', { Novatel: 'ORGANIZATION', Lyon: 'PLACE' }],
  ['I met them in the office of Ngozi Adeyemi.', { 'Ngozi Adeyemi': 'PERSON' }],
])('who has an office or a branch that is named after a town is a company: %s', async (text, types) => {
  expect((await read(text)).types).toMatchObject(types)
})

test('a town that tells which branch is meant is nobody, and nobody manages it', async () => {
  expect(await read('Rosa Vidal runs the Porto branch of Velmar')).toEqual({
    types: { Velmar: 'ORGANIZATION', 'Rosa Vidal': 'PERSON', Porto: 'PLACE' },
    relations: ['WORKS_AT'],
  })
})
