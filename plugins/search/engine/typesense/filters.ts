import type { MemoryFilter } from '../../../memories/contract.ts'
import type { Clause } from '../../analysis/parse-query.ts'
import type { Term } from '../../analysis/query-term.ts'
import type { EngineQuery } from '../engine.ts'
import { lexemePrefix } from '../postgres/prefix.ts'
import { idToken, lexemeToken, valueToken } from './tokens.ts'

/** Postgres handles longer lists of ids, and filters that only a statement expresses. */
export const IDS_MAX = 500
/** Typesense accepts a hundred operators in all, one before each clause. */
const CLAUSES_MAX = 60

/**
 * Tells whether Typesense can express every condition of a query. Filters on metadata, phrases and words as typed need Postgres, which is
 * faster alone than after a list of all memories that may pass.
 */
export function isExact(query: EngineQuery): boolean {
  const clauses = bindingClauses(query)
  return (
    (query.filter.metadata?.length ?? 0) === 0 &&
    clauses.length <= CLAUSES_MAX &&
    clauses.every(({ terms }) => terms.every(isPlain))
  )
}

/**
 * Builds the filter of a query that {@link isExact}, with the clauses of keyword mode. Pending memories are left out, because the index has a
 * stale version of them. Undefined when nothing can pass or Typesense could not accept it.
 */
export function toIndexFilter(query: EngineQuery, waiting: readonly string[], now: Date): string | undefined {
  const { filter, workspaceId } = query
  const ids = filter.added?.map(({ passing }) => ('ids' in passing ? passing.ids : undefined))
  if (ids?.some(list => list === undefined || list.length === 0 || list.length > IDS_MAX)) return undefined
  const prefix = lexemePrefix(workspaceId)
  return [
    `workspace:=${idToken(workspaceId)}`,
    `(lasting:=yes || expires_at:>${now.getTime()})`,
    ...columnFilters(filter),
    ...(waiting.length > 0 ? [`memory:!=[${waiting.map(idToken).join(',')}]`] : []),
    ...bindingClauses(query).map(clause => clauseFilter(clause, prefix)),
  ].join(' && ')
}

/** In other modes than keyword the clauses only rank. */
function bindingClauses({ match, query }: EngineQuery): Clause[] {
  return match === 'all' ? query.clauses : []
}

/** Builds the filter for given memories of a workspace. */
export function memoriesOf(workspaceId: string, ids: readonly string[]): string {
  return `workspace:=${idToken(workspaceId)} && memory:=[${ids.map(idToken).join(',')}]`
}

/** Builds the filter for documents with any of the given stems. */
export function anyOf(query: EngineQuery, terms: readonly string[]): string {
  return `words:=[${tokensOf(query, terms).join(',')}]`
}

/** Builds the filter for documents with none of the given stems. */
export function noneOf(query: EngineQuery, terms: readonly string[]): string {
  return `words:!=[${tokensOf(query, terms).join(',')}]`
}

/** Returns the tokens that Typesense stores for stems. */
export function tokensOf({ workspaceId }: EngineQuery, terms: readonly string[]): string[] {
  const prefix = lexemePrefix(workspaceId)
  return terms.map(term => lexemeToken(prefix + term))
}

function columnFilters(filter: MemoryFilter): string[] {
  const { userId, agentId, sessionId, priorities, categories, createdAfter, createdBefore, added = [] } = filter
  return [
    ...(userId === undefined ? [] : [`user:=${valueToken(userId)}`]),
    ...(agentId === undefined ? [] : [`agent:=${valueToken(agentId)}`]),
    ...(sessionId === undefined ? [] : [`session:=${valueToken(sessionId)}`]),
    ...(priorities === undefined ? [] : [`priority:=[${priorities.map(name => name.toLowerCase()).join(',')}]`]),
    ...(categories === undefined ? [] : [`categories:=[${categories.map(valueToken).join(',')}]`]),
    ...(createdAfter === undefined ? [] : [`created_at:>=${createdAfter.getTime()}`]),
    ...(createdBefore === undefined ? [] : [`created_at:<=${createdBefore.getTime()}`]),
    ...added.flatMap(({ passing }) => ('ids' in passing ? [`memory:=[${passing.ids.map(idToken).join(',')}]`] : [])),
  ]
}

/** Builds the condition of a clause of plain terms. */
function clauseFilter({ excluded, terms }: Clause, prefix: string): string {
  const lexemes = new Set(terms.flatMap(term => [...lexemesOf(term), ...term.aliases]))
  return `words:${excluded ? '!=' : '='}[${[...lexemes].map(lexeme => lexemeToken(prefix + lexeme)).join(',')}]`
}

/** A single word in any inflection matches by its lexeme; other terms also need positions or the form as typed. */
function isPlain({ steps }: Term): boolean {
  return steps.length === 1 && steps[0]?.typed === false
}

/** Lists the alternative lexemes of a term of one step. */
function lexemesOf({ steps }: Term): string[] {
  return steps.flatMap(({ lexeme, variants }) => [lexeme, ...variants])
}
