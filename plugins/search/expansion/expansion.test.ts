import { beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Tenant } from 'mneme/plugin'
import { createLog } from '../../../core/log.ts'
import { service } from '../../../test/support/service.ts'
import type { SearchRequest } from '../../memories/contract.ts'
import type { MemoryEvidence } from '../contract.ts'
import { Corpus, type Text } from '../engine/conformance/corpus.test-support.ts'
import { storedVectorType } from '../engine/postgres/embeddings.ts'
import { folded } from '../engine/postgres/folded.test-support.ts'
import { openPostgresEngine } from '../engine/postgres/index.ts'
import { Learned } from '../feedback/feedback.ts'
import { englishOnly } from '../languages/english.test-support.ts'
import { QueryLog } from '../log/query-log.ts'
import type { SearchServices } from '../pipeline/search.ts'
import { prepareQuery } from '../query/prepare.ts'
import { noReranking } from '../reranking/rerank.ts'
import { retrieve, retrieveTail } from '../retrieval/retrieve.ts'
import type { ExpansionServices } from './expansion.ts'
import { localExpansion } from './local.test-support.ts'

// Starting the service takes seconds, so it happens outside the tests' time limits.
beforeAll(() => service())

type Embed = SearchServices['embedder']
const noMeaning: Embed = { embed: async () => ({ retryAfterSeconds: 1, cause: new Error('away') }) }

/** Runs the search pipeline on a corpus with expansion terms from the test. */
async function world(
  expansion: ExpansionServices = localExpansion,
  embedder = noMeaning,
  evidence: SearchServices['evidence'] = () => [],
) {
  const { database } = await service()
  const engine = await openPostgresEngine(database)
  const corpus = await Corpus.of({ engine, database })
  const services: SearchServices = {
    engine,
    embedder,
    languages: englishOnly,
    log: new QueryLog(database, createLog('silent')),
    learned: new Learned(await storedVectorType(database)),
    similarityFloor: 0.2,
    evidence,
    ended: () => [],
    expansion,
    without: new Set(),
    reranking: noReranking,
    reader: () => {
      throw new Error('no text is read')
    },
  }
  const tenant = {
    workspaceId: corpus.workspaceId,
    transaction: work => database.workspace(corpus.workspaceId, work),
  } satisfies Omit<Tenant, 'workspace'> as Tenant
  /** Returns all matches in order and the added words. */
  const run = async (query: string, expand: boolean, fields: Partial<Pick<SearchRequest, 'mode' | 'filter'>> = {}) => {
    const { prepared } = await prepareQuery(services, tenant, {
      ...{ query, mode: 'hybrid' as const, filter: {}, timezone: 'UTC', expand },
      ...fields,
    })
    return tenant.transaction(async tx => {
      const retrieval = await retrieve(tx, services, prepared, expand)
      const tail = retrieval.set.total > retrieval.head.length ? await retrieveTail(tx, services, retrieval) : []
      const ids = [...retrieval.head, ...tail].map(({ candidate }) => candidate.memoryId)
      return {
        texts: ids.map(id => corpus.textOf(id)),
        related: retrieval.query.related ?? [],
        total: retrieval.set.total,
      }
    })
  }
  return { corpus, run, fold: () => folded(database, corpus.workspaceId) }
}

const BUSINESS = ['the budget of the harbour', 'paint for the office', 'a meeting on Monday', 'invoices are late']

describe('a query is widened', () => {
  test('by words that several of the best results share, except query words, words of a single text, and function words', async () => {
    const { corpus, run } = await world()
    await corpus.add(
      'the puppy is in the kennel',
      'a puppy chews in its kennel',
      'new paint for the kennel',
      ...BUSINESS,
    )
    const { related, texts } = await run('the puppy', true)
    expect(related).toEqual(['kennel'])
    expect(texts.slice(2)).toEqual(['new paint for the kennel'])
  })

  test('by words that co-occur with its rare words in the workspace, where results share too few', async () => {
    const { corpus, run, fold } = await world()
    // Each of the best results has another topic, so they share nothing but the query's word.
    const best = ['amber', 'birch', 'cedar', 'dune', 'ember'].map(word => `okapi ${word}`)
    const far = ['fjord', 'grove', 'heath', 'islet', 'knoll', 'lagoon'].map(
      word => `${`${word} `.repeat(12)} with an okapi and a giraffe`,
    )
    const others = Array.from({ length: 60 }, () => 'something else stands here')
    await corpus.add(...best, ...far, ...others, 'a giraffe eats leaves')
    await fold()
    const { related, texts } = await run('okapi', true)
    expect(related).toContain('giraff')
    expect(texts).toContain('a giraffe eats leaves')
    expect(related.length).toBeLessThanOrEqual(3)
  })

  test('by other names from plugins, and by suggestions of a model instead of local means', async () => {
    const prepared: unknown[] = []
    const { corpus, run } = await world({
      model: { terms: async (_, hash, query) => [`${hash.length} ${query}`, 'automobiles', 'the', '!!', '-hidden'] },
      aliases: () => [
        {
          id: 'graph',
          async aliases(_, request) {
            prepared.push(request)
            return ['Bobby', 'x'.repeat(61)]
          },
        },
      ],
    })
    await corpus.add(
      'car of Robert',
      'Robert washes it',
      'Bobby is late',
      'many automobiles',
      'hidden things',
      ...BUSINESS,
    )
    const { related, texts } = await run('Robert car', true, { filter: { userId: 'ada' } })
    expect(related).toEqual(['bobbi', '32', 'automobil'])
    expect(prepared).toEqual([{ workspaceId: corpus.workspaceId, query: 'Robert car', userId: 'ada' }])
    expect((await run('Robert car', true)).texts).toContain('Bobby is late')
    expect(texts).not.toContain('hidden things')
  })

  test('by a dozen words at most', async () => {
    const many = 'ant bee cow dog eel fox gnu hen ibis jay kid lion mole newt owl pig'.split(' ')
    const { corpus, run } = await world({ model: { terms: async () => many }, aliases: () => [] })
    await corpus.add('a query', 'the lion is the last', 'the mole is one too many')
    expect((await run('query', true)).related).toHaveLength(12)
    expect((await run('query', true)).texts).toEqual(['a query', 'the lion is the last'])
  })

  test('never in keyword mode, and never by default', async () => {
    const { corpus, run } = await world({ model: { terms: async () => ['kennel'] }, aliases: () => [] })
    await corpus.add('the puppy', 'the kennel')
    expect((await run('puppy', true, { mode: 'keyword' })).texts).toEqual(['the puppy'])
    expect((await run('puppy', false)).texts).toEqual(['the puppy'])
    expect((await run('puppy', true)).texts).toEqual(['the puppy', 'the kennel'])
  })

  test('within its filter', async () => {
    const { corpus, run } = await world({ model: { terms: async () => ['kennel'] }, aliases: () => [] })
    await corpus.add('the puppy', 'the kennel', { text: 'his kennel', fields: { userId: 'bob' } })
    const found = await run('puppy', true, { filter: { userId: 'ada' } })
    expect(found.texts).toEqual(['the puppy', 'the kennel'])
  })

  test('and counts once what another plugin adds', async () => {
    const added = new Map<string, MemoryEvidence>()
    const asked: Embed = { embed: async () => ({ vector: { model: 32_000, values: unit([1, 0, 0, 0, 0, 0]) } }) }
    const expansion: ExpansionServices = { model: { terms: async () => ['kennel'] }, aliases: () => [] }
    const { corpus, run } = await world(expansion, asked, () => [{ id: 'graph', evidence: async () => added }])
    const far = (text: string): Text => ({ text, vector: [0, 1, 0, 0, 0, 0] })
    const [, id = ''] = await corpus.add('the puppy', far('a note about Robert'), far('paint for the office'))
    added.set(id, { strength: 0.9, names: ['Robert'] })
    for (const expand of [false, true]) {
      const { texts, total } = await run('puppy', expand)
      expect(texts.toSorted()).toEqual(['a note about Robert', 'the puppy'])
      expect(total).toBe(2)
    }
  })
})

describe('a wider search never shows less', () => {
  const words = Array.from({ length: 30 }, (_, n) => `w${String.fromCharCode(97 + (n % 26))}${n}x`)
  const axis = (n: number) => Array.from({ length: 6 }, (_, i) => (i === n % 6 ? 1 : 0.2))
  const embedder: Embed = {
    embed: async (_, text) => ({
      vector: { model: 32_000, values: unit(axis(words.indexOf(text.split(' ')[0] ?? ''))) },
    }),
  }
  let suggested: readonly string[] | undefined

  test('for any words, with and without vectors, by a model or local means', async () => {
    const { corpus, run, fold } = await world({ model: { terms: async () => suggested }, aliases: () => [] }, embedder)
    const random = fc.sample(fc.array(fc.integer({ min: 0, max: 29 }), { minLength: 3, maxLength: 9 }), {
      numRuns: 300,
      seed: 7,
    })
    const texts: Text[] = random.map((chosen, n) => ({
      text: `${chosen.map(index => words[index]).join(' ')} t${n}`,
      ...(n % 3 === 0 ? {} : { vector: axis(chosen[0] ?? 0) }),
    }))
    await corpus.add(...texts)
    await fold()
    const question = fc.record({
      query: fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }),
      suggestions: fc.option(fc.uniqueArray(fc.constantFrom(...words), { maxLength: 12 }), { nil: undefined }),
      mode: fc.constantFrom('hybrid' as const, 'semantic' as const),
    })
    for (const { query, suggestions, mode } of fc.sample(question, { numRuns: 20, seed: 11 })) {
      suggested = suggestions
      const text = query.join(' ')
      const [plain, wider] = [await run(text, false, { mode }), await run(text, true, { mode })]
      const shown = new Set(wider.texts)
      expect(plain.texts.slice(0, 20).filter(found => !shown.has(found))).toEqual([])
      expect(wider.total).toBeGreaterThanOrEqual(plain.total)
      expect(wider.texts.length).toBeGreaterThanOrEqual(plain.texts.length)
      expect(new Set(wider.texts).size).toBe(wider.texts.length)
    }
  })
})

function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values)
  return Float32Array.from(values, value => value / length)
}
