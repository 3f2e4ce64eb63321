import { BoundedCache } from '../resources/bounded-cache.ts'
import { withMembers } from '../with-members.ts'
import { EmbedderUnavailableError, type Embedding, type EmbedOptions, type OpenEmbedder } from './embedder.ts'

const CACHED_BYTES_MAX = 32 * 1024 ** 2

/** A longer text hardly comes twice, and the cache's memory must have a bound. */
const CACHED_TEXT_CHARS_MAX = 2_000

/**
 * Keeps the vectors of a workspace's query texts, so that a repeated one costs the model nothing. Documents pass through, and so
 * do queries without a workspace.
 */
export function withQueryCache(embedder: OpenEmbedder, entriesMax: number): OpenEmbedder {
  const vectors = new BoundedCache<CachedVector>({
    name: 'models.query_vectors',
    max: entriesMax,
    maxBytes: CACHED_BYTES_MAX,
    bytesOf: ({ vector, queryTokens }) => (vector?.byteLength ?? 0) + (queryTokens?.vectors.byteLength ?? 0),
  })
  let closed = false

  async function embedQueries(
    texts: readonly string[],
    workspaceId: string,
    options: EmbedOptions,
  ): Promise<Embedding[]> {
    options.signal?.throwIfAborted()
    const keyOf = (text: string) => `${workspaceId} ${text}`
    const found = texts.map(text => vectors.get(keyOf(text)))
    const missing = [...found.keys()].filter(index => found[index] === undefined)
    const made = new Map<number, Embedding>()
    if (missing.length > 0) {
      const embeddings = await embedder.embed(
        missing.map(index => texts[index] ?? ''),
        options,
      )
      for (const [position, index] of missing.entries()) {
        const embedding = embeddings[position]
        if (embedding) made.set(index, embedding)
      }
    }
    return texts.map((text, index) => {
      const embedding = made.get(index)
      if (embedding && text.length <= CACHED_TEXT_CHARS_MAX)
        vectors.set(keyOf(text), { ...embedding, vector: copyOf(embedding.vector) })
      return embedding ?? cached(found[index])
    })
  }

  return withMembers(embedder, {
    async embed(texts: readonly string[], options: EmbedOptions = {}) {
      if (closed) throw new EmbedderUnavailableError('the embedder is closed')
      const { priority, workspaceId } = options
      return priority === 'query' && workspaceId
        ? embedQueries(texts, workspaceId, options)
        : embedder.embed(texts, options)
    },
    close() {
      closed = true
      vectors.drop()
      return embedder.close()
    },
  })
}

/** The cache hands out a copy, so that a caller who changes its vector does not change the next caller's. */
function cached(found: CachedVector | undefined): Embedding {
  if (!found) throw new Error('the embedder answered with fewer vectors than texts')
  return { ...found, vector: copyOf(found.vector), tokens: 0 }
}

/** A text without a vector is known to have none. */
type CachedVector = Pick<Embedding, 'vector' | 'queryTokens'>

function copyOf(vector: Float32Array | null): Float32Array | null {
  return vector?.slice() ?? null
}
