import type { CoreConfig } from '../config.ts'
import type { Logger } from '../log.ts'
import { createHttpReranker } from '../models/rerank/http-reranker.ts'
import { noReranker, type Reranker } from '../models/rerank/reranker.ts'

/**
 * Makes the reranker that the settings name. Nothing is sent before the first call.
 * @throws Error in a sentence for an operator when a setting cannot work
 */
export function createReranker(config: CoreConfig, log: Pick<Logger, 'info' | 'warn'>): Reranker {
  const { RERANK_URL: url, RERANK_MODEL: model, RERANK_API_KEY: apiKey } = config
  if (!url) return noReranker
  return createHttpReranker({ url, ...(model ? { model } : {}), ...(apiKey ? { apiKey } : {}) }, log)
}
