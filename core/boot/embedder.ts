import type { CoreConfig } from '../config.ts'
import type { Logger } from '../log.ts'
import { createEmbedder, type EmbedderSettings } from '../models/create-embedder.ts'
import {
  type EmbedderInfo,
  type EmbedderOrigin,
  type EmbedderSource,
  EmbedderUnavailableError,
  type OpenEmbedder,
} from '../models/embedder.ts'

/**
 * Makes the embedder that the settings name; the local model goes on loading after this resolves.
 * @throws Error in a sentence for an operator when the endpoint has to tell the length of its vectors and is away
 */
export function openEmbedder(config: CoreConfig, log: Logger): Promise<OpenEmbedder> {
  const warn = (message: string) => log.warn(message)
  if (config.EMBEDDINGS === 'local') return createEmbedder({ kind: 'local', warn })
  return createEmbedder({
    kind: 'http',
    url: config.EMBEDDINGS_URL ?? '',
    model: config.EMBEDDINGS_MODEL ?? '',
    ...(config.EMBEDDINGS_API_KEY ? { apiKey: config.EMBEDDINGS_API_KEY } : {}),
    ...(config.EMBEDDINGS_DIMENSIONS ? { dimensions: config.EMBEDDINGS_DIMENSIONS } : {}),
    warn,
  }).catch(error => {
    if (!(error instanceof EmbedderUnavailableError)) throw error
    throw new Error(`${error.message}; with EMBEDDINGS_DIMENSIONS set, a start does not ask it`, { cause: error })
  })
}

/** Opens former models beside the configured one. */
export function createEmbedderSource(config: CoreConfig, log: Logger): EmbedderSource {
  const warn = (message: string) => log.warn(message)
  return {
    configured: configuredOrigin(config),
    async open(origin, known) {
      const embedder = await createEmbedder({ ...settingsOf(config, origin, known), warn })
      if (embedder.modelId === known.modelId && embedder.dimensions === known.dimensions) return embedder
      await embedder.close()
      throw new Error(`this process has ${embedder.modelId} where ${known.modelId} is wanted`)
    },
  }
}

function configuredOrigin(config: CoreConfig): EmbedderOrigin {
  if (config.EMBEDDINGS === 'local') return { kind: 'local' }
  return {
    kind: 'http',
    url: withoutQuery(config.EMBEDDINGS_URL ?? ''),
    model: config.EMBEDDINGS_MODEL ?? '',
    sendsDimensions: config.EMBEDDINGS_DIMENSIONS !== undefined,
  }
}

function settingsOf(config: CoreConfig, origin: EmbedderOrigin, { dimensions }: EmbedderInfo): EmbedderSettings {
  if (origin.kind === 'local') return { kind: 'local' }
  const { url, model, sendsDimensions } = origin
  const own = config.EMBEDDINGS_URL
  // A key goes to the host it was configured for, and to no other that the database names.
  const sameHost = own !== undefined && URL.canParse(url) && new URL(own).origin === new URL(url).origin
  const apiKey = sameHost ? config.EMBEDDINGS_API_KEY : config.EMBEDDINGS_PREVIOUS_API_KEY
  return {
    kind: 'http',
    url: own !== undefined && withoutQuery(own) === url ? own : url,
    model,
    ...(sendsDimensions ? { dimensions } : { expectedDimensions: dimensions }),
    ...(apiKey ? { apiKey } : {}),
  }
}

function withoutQuery(address: string): string {
  const url = new URL(address)
  return `${url.origin}${url.pathname}`
}
