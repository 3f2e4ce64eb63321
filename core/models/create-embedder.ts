import type { OpenEmbedder } from './embedder.ts'
import type { HttpEmbedderSettings } from './http/http-embedder.ts'
import type { LocalEmbedderSettings } from './local-embedder.ts'

export type EmbedderSettings =
  | ({ readonly kind: 'local' } & LocalEmbedderSettings)
  | ({ readonly kind: 'http' } & HttpEmbedderSettings)

const QUERY_CACHE_MAX = 2_000

/**
 * Makes the embedder that the settings name. It resolves as soon as `modelId` and `dimensions` are known; the local
 * model goes on loading after that (see `ready`).
 * @throws EmbedderUnavailableError when they cannot be learned: the worker thread does not start, or an endpoint whose
 * dimensions are not configured does not respond
 */
export async function createEmbedder(settings: EmbedderSettings): Promise<OpenEmbedder> {
  // Only the adapter in use is loaded.
  const embedder =
    settings.kind === 'local'
      ? await (await import('./local-embedder.ts')).createLocalEmbedder(settings)
      : await (await import('./http/http-embedder.ts')).createHttpEmbedder(settings)
  const cacheMax = settings.queryCacheMax ?? QUERY_CACHE_MAX
  if (cacheMax === 0) return embedder
  const { withQueryCache } = await import('./query-cache.ts')
  return withQueryCache(embedder, cacheMax)
}
