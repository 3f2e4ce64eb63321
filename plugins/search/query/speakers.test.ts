import { expect, test } from 'bun:test'
import type { EmbeddedQuery } from '../embedding/models.ts'
import { addressedVector, planQuery } from './plan.ts'

const typed = { model: 1, values: Float32Array.from([1, 0]) }
const vector = (model: number, ...values: number[]): EmbeddedQuery => ({
  vector: { model, values: Float32Array.from(values) },
})

async function read(speakers: readonly string[], vectors: Readonly<Record<string, EmbeddedQuery>>) {
  const embedded: string[] = []
  const embed = async (_: string, text: string): Promise<EmbeddedQuery> => {
    embedded.push(text)
    return vectors[text] ?? { unknown: true }
  }
  const plan = planQuery({ query: 'What does Ada like?', mode: 'hybrid' })
  return { vector: await addressedVector({ embed }, 'w', plan, { typed, speakers, language: 'en' }), embedded }
}

test('the vector of a query that names a speaker is the mean of the query as typed and as addressed to them', async () => {
  const { vector: mean, embedded } = await read(['ada'], { 'What does you like?': vector(1, 0, 1) })
  expect(embedded).toEqual(['What does you like?'])
  for (const value of mean.values) expect(value).toBeCloseTo(Math.SQRT1_2)
})

test.each([
  ['the model has nothing of the other form', {}],
  ['another model answers meanwhile', { 'What does you like?': vector(2, 0, 1) }],
  ['both are opposite', { 'What does you like?': vector(1, -1, 0) }],
])('it is that of the query as typed when %s', async (_, other) => {
  expect((await read(['ada'], other)).vector).toEqual(typed)
})

test('a query that names no speaker is not embedded again', async () => {
  expect(await read([], {})).toEqual({ vector: typed, embedded: [] })
})
