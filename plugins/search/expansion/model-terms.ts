import { Type } from '@sinclair/typebox'
import { BoundedCache, type LanguageModel, LanguageModelOutputError, LanguageModelUnavailableError } from 'mneme/plugin'
import { QUERY_MAX } from '../../memories/contract.ts'

/** A search waits this long for the model; local means take a few milliseconds. */
const PATIENCE_MS = 2_500
/** Related words change slowly, but the model may be replaced. */
const KEPT_MS = 3_600_000
const QUERIES_MAX = 5_000
const KEPT_BYTES_MAX = 16 * 1024 ** 2
/** A query without usable suggestions is not sent to the model again for this long. */
const USELESS_KEPT_MS = 600_000
const OUTPUT_TOKENS = 400

/** The completion is held to these bounds. */
export const TERMS_MAX = 12
export const TERM_CHARS_MAX = 60

const TASK = `You widen search queries over a store of short memories and notes of people, teams and their agents.
For the query give words and short names that a text which answers it may use where the query uses others: synonyms, other
names and abbreviations of the same thing, abbreviations spelled out, the usual words of an answer. Give them in the language
of the query, the most useful first. Give none of the query's own words, no questions and no sentences. Give few rather than
far-fetched ones, and none for a query that is only an identifier.`

const relatedSchema = Type.Object({
  terms: Type.Array(Type.String(), {
    description: `At most ${TERMS_MAX} words or short names of at most ${TERM_CHARS_MAX} characters each.`,
  }),
})

/** Asks a language model for related words. */
export interface ModelTerms {
  /** Undefined when there is no model, or it is unavailable or too slow; local means then take over. */
  terms(workspaceId: string, queryHash: string, query: string): Promise<readonly string[] | undefined>
}

export function createModelTerms(language: LanguageModel): ModelTerms {
  // The cache is per workspace, because a shared one would reveal by its speed that another workspace ran the same query.
  const kept = new BoundedCache<readonly string[]>({
    name: 'search.model_terms',
    max: QUERIES_MAX,
    maxBytes: KEPT_BYTES_MAX,
    bytesOf: terms => terms.length * 4 * TERM_CHARS_MAX,
    ttlMs: KEPT_MS,
  })
  const asking = new Map<string, Promise<readonly string[] | undefined>>()

  async function ask(key: string, workspaceId: string, query: string): Promise<readonly string[] | undefined> {
    try {
      const { value } = await language.generate({
        operation: 'query',
        workspaceId,
        system: TASK,
        input: query.slice(0, QUERY_MAX),
        schema: relatedSchema,
        maxTokens: OUTPUT_TOKENS,
        priority: 'interactive',
        timeoutMs: PATIENCE_MS,
      })
      const terms = usable(value.terms)
      kept.set(key, terms)
      return terms
    } catch (error) {
      if (error instanceof LanguageModelOutputError) kept.set(key, [], USELESS_KEPT_MS)
      else if (!(error instanceof LanguageModelUnavailableError)) throw error
      return undefined
    }
  }

  return {
    async terms(workspaceId, queryHash, query) {
      const key = `${workspaceId} ${queryHash}`
      const known = kept.get(key)
      // A query without usable suggestions is left to local means.
      if (known) return known.length > 0 ? known : undefined
      const running = asking.get(key)
      if (running) return running
      if (!language.available('interactive') || query.trim() === '') return undefined
      const asked = ask(key, workspaceId, query).finally(() => asking.delete(key))
      asking.set(key, asked)
      return asked
    },
  }
}

/** A completion is held to the bounds, because the model may ignore its instructions. */
function usable(terms: readonly string[]): string[] {
  const fitting = terms.map(term => term.trim()).filter(term => term !== '' && [...term].length <= TERM_CHARS_MAX)
  return [...new Set(fitting)].slice(0, TERMS_MAX)
}
