import type { CoreConfig } from '../config.ts'
import type { Logger } from '../log.ts'
import { createEmbedder, type Embedder } from '../models/embedder.ts'

/** The embedder that the settings name; the local model goes on loading after this resolves. */
export function openEmbedder(config: CoreConfig, log: Logger): Promise<Embedder> {
  const warn = (message: string) => log.warn(message)
  if (config.EMBEDDINGS === 'local') return createEmbedder({ kind: 'local', warn })
  return createEmbedder({
    kind: 'http',
    url: config.EMBEDDINGS_URL ?? '',
    model: config.EMBEDDINGS_MODEL ?? '',
    ...(config.EMBEDDINGS_API_KEY ? { apiKey: config.EMBEDDINGS_API_KEY } : {}),
    ...(config.EMBEDDINGS_DIMENSIONS ? { dimensions: config.EMBEDDINGS_DIMENSIONS } : {}),
    warn,
  })
}
