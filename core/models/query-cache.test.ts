import { describe, expect, test } from 'bun:test'
import { EmbedderUnavailableError, type OpenEmbedder } from './embedder.ts'
import { withQueryCache } from './query-cache.ts'

const QUERY = { priority: 'query', workspaceId: 'w1' } as const

/** Its vectors carry the length of the text, and it records the texts it gets. */
function recordingEmbedder(): OpenEmbedder & { readonly asked: string[][] } {
  const asked: string[][] = []
  return {
    asked,
    modelId: 'local/recording',
    dimensions: 1,
    async embed(texts) {
      asked.push([...texts])
      return texts.map(text => ({ vector: Float32Array.of(text.length), tokens: text.length }))
    },
    ready: async () => {},
    close: async () => {},
  }
}

describe('the query cache', () => {
  test('asks the model only for queries it does not know, and answers in order', async () => {
    const model = recordingEmbedder()
    const embedder = withQueryCache(model, 10)
    await embedder.embed(['bb'], QUERY)
    const embeddings = await embedder.embed(['a', 'bb', 'ccc'], QUERY)
    expect(model.asked).toEqual([['bb'], ['a', 'ccc']])
    expect(embeddings.map(item => [item.vector?.[0], item.tokens])).toEqual([
      [1, 1],
      [2, 0],
      [3, 3],
    ])
  })

  test('forgets the query that was used longest ago', async () => {
    const model = recordingEmbedder()
    const embedder = withQueryCache(model, 2)
    for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) await embedder.embed([text], QUERY)
    expect(model.asked).toEqual([['a'], ['b'], ['c'], ['b']])
  })

  test('keeps no documents and no very long queries', async () => {
    const model = recordingEmbedder()
    const embedder = withQueryCache(model, 10)
    const long = 'x'.repeat(2_001)
    for (let i = 0; i < 2; i++) {
      await embedder.embed(['document'])
      await embedder.embed([long], QUERY)
    }
    expect(model.asked).toEqual([['document'], [long], ['document'], [long]])
  })

  test('tells no workspace what another has searched for, nor keeps what nobody in particular asks', async () => {
    const model = recordingEmbedder()
    const embedder = withQueryCache(model, 10)
    for (const workspaceId of ['w1', 'w2', 'w1']) await embedder.embed(['a'], { ...QUERY, workspaceId })
    for (let i = 0; i < 2; i++) await embedder.embed(['a'], { priority: 'query' })
    expect(model.asked).toEqual([['a'], ['a'], ['a'], ['a']])
  })

  test('refuses also what it knows once it is closed', async () => {
    const embedder = withQueryCache(recordingEmbedder(), 10)
    await embedder.embed(['a'], QUERY)
    await embedder.close()
    expect(await embedder.embed(['a'], QUERY).catch((error: unknown) => error)).toBeInstanceOf(EmbedderUnavailableError)
  })
})
