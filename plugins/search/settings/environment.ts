import { Type } from '@sinclair/typebox'
import { SIGNALS } from '../ranking/rank.ts'

/** The settings of this plugin under their environment variables. */
export const searchConfig = Type.Object({
  SEARCH_SIMILARITY_FLOOR: Type.Number({
    minimum: -1,
    maximum: 1,
    default: 0.17,
    description: 'Minimum cosine of a match by meaning. 0.17 suits the built-in model; others may need more.',
  }),
  SEARCH_WITHOUT: Type.String({
    default: '',
    pattern: `^(?:(?:${SIGNALS.join('|')})(?:,(?!$)|$))*$`,
    errorMessage: `must be comma-separated signals of ${SIGNALS.join(', ')}`,
    description: `Signals to omit from every ranking, comma-separated, to measure the value of each: ${SIGNALS.join(', ')}.`,
  }),
  RERANK_CANDIDATES: Type.Integer({
    minimum: 2,
    // The head of a search has so many results wherever there are more, so that all pages are of the same order.
    maximum: 100,
    default: 50,
    description: 'How many of the best results of a search are reranked, where RERANK_URL is set.',
  }),
  RERANK_TIMEOUT_MS: Type.Integer({
    minimum: 50,
    maximum: 30_000,
    default: 2000,
    description: 'How many milliseconds a search waits for the reranker before it keeps its own order.',
  }),
  SEARCH_LOG_DAYS: Type.Integer({
    minimum: 1,
    maximum: 3650,
    default: 400,
    description:
      'Days for which searches, and the feedback on them, are kept, unless a workspace keeps its data for fewer.',
  }),
  TYPESENSE_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^,\\s]+(\\s*,\\s*https?://[^,\\s]+)*$',
      errorMessage: 'must be comma-separated addresses that begin with http:// or https://',
      description: 'Addresses of Typesense nodes, comma-separated. Unset: searches use Postgres alone.',
    }),
  ),
  TYPESENSE_API_KEY: Type.Optional(
    Type.String({ minLength: 1, description: 'A key of Typesense that may do everything with its collections.' }),
  ),
})
