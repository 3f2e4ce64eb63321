import { Type } from '@sinclair/typebox'
import { defineSetting, type WorkspaceSetting } from 'mneme/plugin'
import { searchQualityTarget } from '../contract.ts'
import { INDEX_MEMORY_MB } from '../engine/postgres/near-index.ts'
import { SIGNAL_IDS } from '../ranking/signals.ts'

/** The settings of this plugin under their environment variables. */
export const searchConfig = Type.Object({
  SEARCH_SIMILARITY_FLOOR: Type.Number({
    minimum: -1,
    maximum: 1,
    default: 0.17,
    description: 'Minimum cosine of a match by meaning. 0.17 suits the built-in model; others may need more.',
  }),
  SEARCH_INDEX_MEMORY_MB: Type.Integer({
    minimum: 64,
    maximum: 1_048_576,
    default: INDEX_MEMORY_MB,
    description:
      'MiB that Postgres may use to build an index over vectors where they need as much; 2 GiB hold some 1.2 million.',
  }),
  SEARCH_WITHOUT: Type.String({
    default: '',
    pattern: `^(?:(?:${SIGNAL_IDS.join('|')})(?:,(?!$)|$))*$`,
    errorMessage: `must be comma-separated signals of ${SIGNAL_IDS.join(', ')}`,
    description: `Signals to omit from every ranking, comma-separated, to measure the value of each: ${SIGNAL_IDS.join(', ')}.`,
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

/** The language in which all texts of a workspace are analysed; null detects it per text. */
export const textLanguage = defineSetting({
  key: 'language',
  schema: Type.String({
    pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}$',
    description:
      'Language in which texts are analysed; null: detected for each text. A change re-indexes the memories in the background.',
    errorMessage: 'must be a language tag such as de or pt-BR',
  }),
})

export const searchSettings: readonly WorkspaceSetting[] = [searchQualityTarget, textLanguage]
