import type { Tx } from 'mneme/plugin'
import { parseQuery } from '../analysis/parse-query.ts'
import { queryTerms } from '../analysis/query-terms.ts'
import type { AliasSource } from '../contract.ts'
import type { CorpusStatistics } from '../engine/engine.ts'
import { localTerms } from './local-terms.ts'
import type { ModelTerms } from './model-terms.ts'

/** A query gains at most this many stems. */
const RELATED_MAX = 12
/** Local means add at most this many; further ones are less related to the query. */
const LOCAL_MAX = 6
/** If the best results share fewer words, words that co-occur with the query's rare words fill up. */
const SHARED_ENOUGH = 3
/** One plugin may contribute this many names. */
const ALIASES_MAX = 20
const ALIAS_CHARS_MAX = 60

export interface ExpansionServices {
  readonly model: ModelTerms
  /** The sources of other names. */
  readonly aliases: () => readonly AliasSource[]
}

export interface ExpansionRequest {
  readonly workspaceId: string
  readonly query: string
  readonly userId: string | undefined
  /** The stems of the query, and the variants they represent. */
  readonly terms: readonly string[]
  readonly variants: ReadonlyMap<string, readonly string[]>
  readonly languages: readonly string[]
  /** The suggestions of a model, made before the transaction; undefined for local means. */
  readonly suggested: readonly string[] | undefined
  readonly corpus: CorpusStatistics
  /** The memories found without expansion, best first. */
  readonly best: readonly string[]
}

/**
 * Collects stems that widen a query, the most useful first: other names of entities in it, then suggestions of a language model or, without
 * one, words related within the workspace. They add matches and weigh a fraction of a query word.
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

/** Names are analysed like queries, so that they match the same forms. */
function stemsOf(names: readonly string[], languages: readonly string[]): string[] {
  return names.flatMap(name => {
    const { terms, variants } = queryTerms(parseQuery(name, { languages }), languages[0])
    const telling = terms.filter(({ term, functional }) => !functional && /[\p{L}\p{N}]/u.test(term))
    return telling.flatMap(({ term }) => [term, ...(variants.get(term) ?? [])])
  })
}
