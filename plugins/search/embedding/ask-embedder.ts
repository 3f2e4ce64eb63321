import { type Embedder, EmbedderUnavailableError, type Embedding, type EmbedOptions } from 'mneme/plugin'

/**
 * Embeds texts. A model that replies later than the caller waits is unavailable, as one that says so itself.
 * @throws EmbedderUnavailableError for both
 */
export async function askEmbedder(
  embedder: Embedder,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<Embedding[]> {
  try {
    return await embedder.embed(texts, options)
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error
    throw new EmbedderUnavailableError('the embedding model does not reply in time', { cause: error })
  }
}
