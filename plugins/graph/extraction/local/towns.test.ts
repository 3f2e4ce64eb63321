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

test('a town that tells which branch is meant is nobody, and nobody manages it', async () => {
  expect(await read('Rosa Vidal runs the Porto branch of Velmar')).toEqual({
    types: { Velmar: 'ORGANIZATION', 'Rosa Vidal': 'PERSON', Porto: 'PLACE' },
    relations: ['WORKS_AT'],
  })
})
