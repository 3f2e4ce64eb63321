import { expect, test } from 'bun:test'
import type { Tenant } from 'mneme/plugin'
import type { EmbeddedQuery } from '../embedding/query-embedder.ts'
import type { Signal } from '../ranking/rank.ts'
import { embedQuery } from './meaning.ts'
import { planQuery } from './plan.ts'

/** This tenant's transactions never reach a database. */
const tenant = { workspaceId: 'w', transaction: work => work(Object({})) } satisfies Omit<Tenant, 'workspace'> as Tenant

function world(vectors: Readonly<Record<string, EmbeddedQuery>>, without: readonly Signal[] = []) {
  const embedded: string[] = []
  const read = (query: string) =>
    embedQuery(
      {
        embedder: {
          embed: async (_, text) => {
            embedded.push(text)
            return vectors[text] ?? { unknown: true }
          },
        },
        engine: { speakers: async (_, __, names) => names.filter(name => name === 'ada') },
        without: new Set(without),
      },
      tenant,
      planQuery({ query, mode: 'hybrid' }),
      'en',
      { beside: async () => undefined, after: async () => undefined },
    )
  return { embedded, read }
}

const vector = (model: number, ...values: number[]): EmbeddedQuery => ({
  vector: { model, values: Float32Array.from(values) },
})
const typed = { 'What does Ada like?': vector(1, 1, 0) }

test('the vector of a query that names a speaker is the mean of the query as typed and as addressed to them', async () => {
  const { read, embedded } = world({ ...typed, 'What does you like?': vector(1, 0, 1) })
  const meaning = await read('What does Ada like?')
  expect(embedded).toEqual(['What does Ada like?', 'What does you like?'])
  for (const value of meaning.vector?.values ?? []) expect(value).toBeCloseTo(Math.SQRT1_2)
  expect([...(meaning.typed?.values ?? [])]).toEqual([1, 0])
})

test.each([
  ['the model has nothing of the other form', {}],
  ['another model answers meanwhile', { 'What does you like?': vector(2, 0, 1) }],
  ['both are opposite', { 'What does you like?': vector(1, -1, 0) }],
])('it is that of the query as typed when %s', async (_, other) => {
  const { vector: meant } = await world({ ...typed, ...other }).read('What does Ada like?')
  expect([meant?.model, ...(meant?.values ?? [])]).toEqual([1, 1, 0])
})

test('other queries are embedded once, and so are all without the signal', async () => {
  const others = world({ 'What does Bob like?': vector(1, 1, 0) })
  await others.read('What does Bob like?')
  expect(others.embedded).toEqual(['What does Bob like?'])
  const without = world(typed, ['speaker'])
  await without.read('What does Ada like?')
  expect(without.embedded).toEqual(['What does Ada like?'])
})
