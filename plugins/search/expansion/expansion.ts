import type { Tx } from 'mneme/plugin'
import { parseQuery } from '../analysis/parse-query.ts'
import { queryTerms } from '../analysis/query-terms.ts'
import type { AliasSource } from '../contract.ts'
import type { CorpusStatistics } from '../engine/engine.ts'
import { localTerms } from './local-terms.ts'
import type { ModelTerms } from './model-terms.ts'

/** Stems that are added to a query at the most. */
const RELATED_MAX = 12
/** Of these, by local means: more of them are further from the query. */
const LOCAL_MAX = 6
/** Where the best results share fewer words than these, the company of the query's rare words makes up for them. */
const SHARED_ENOUGH = 3
/** Other names that one plugin may give. */
const ALIASES_MAX = 20
const ALIAS_CHARS_MAX = 60

export interface ExpansionServices {
  readonly model: ModelTerms
  /** What other plugins know by several names. */
  readonly aliases: () => readonly AliasSource[]
}

export interface ExpansionRequest {
  readonly workspaceId: string
  readonly query: string
  readonly userId: string | undefined
  /** Stems of the query, and further ones that they stand for. */
  readonly terms: readonly string[]
  readonly variants: ReadonlyMap<string, readonly string[]>
  readonly languages: readonly string[]
  /** What a model suggested before the transaction; undefined for local means. */
  readonly suggested: readonly string[] | undefined
  readonly corpus: CorpusStatistics
  /** Memories that were found without expansion, best first. */
  readonly best: readonly string[]
}

/**
 * Stems that a query is widened by, the most useful first: other names of what it names, then what a language model suggests, or
 * else what the workspace itself knows. They add matches, and weigh a share of one word of the query.
 */
export async function relatedTerms(
  tx: Tx,
  { aliases }: ExpansionServices,
  request: ExpansionRequest,
): Promise<string[]> {
  const { suggested, terms, variants, languages } = request
  const named = stemsOf(await readAliases(tx, aliases(), request), languages)
  const further = suggested ? stemsOf(suggested, languages) : await byLocalMeans(tx, request)
  const own = new Set([...terms, ...[...variants.values()].flat()])
  return [...new Set([...named, ...further])].filter(stem => !own.has(stem)).slice(0, RELATED_MAX)
}

async function readAliases(
  tx: Tx,
  sources: readonly AliasSource[],
  { workspaceId, query, userId }: ExpansionRequest,
): Promise<string[]> {
  const given = await Promise.all(sources.map(source => source.aliases(tx, { workspaceId, query, userId })))
  return given.flatMap(names => names.filter(name => name.length <= ALIAS_CHARS_MAX).slice(0, ALIASES_MAX))
}

async function byLocalMeans(tx: Tx, request: ExpansionRequest): Promise<string[]> {
  const { shared, company } = await localTerms(tx, request)
  const missing = Math.max(0, SHARED_ENOUGH - shared.length)
  return [...shared.slice(0, LOCAL_MAX), ...company.filter(stem => !shared.includes(stem)).slice(0, missing)]
}

/** Names are read as queries are, so that they are looked for in the same forms. */
function stemsOf(names: readonly string[], languages: readonly string[]): string[] {
  return names.flatMap(name => {
    const { terms, variants } = queryTerms(parseQuery(name, { languages }), languages[0])
    const telling = terms.filter(({ term, functional }) => !functional && /[\p{L}\p{N}]/u.test(term))
    return telling.flatMap(({ term }) => [term, ...(variants.get(term) ?? [])])
  })
}
