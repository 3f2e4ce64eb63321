import type { MemoryFilter } from '../../../memories/contract.ts'
import type { Clause } from '../../analysis/parse-query.ts'
import type { Term } from '../../analysis/query-term.ts'
import type { EngineQuery } from '../engine.ts'
import { lexemePrefix } from '../postgres/prefix.ts'
import { idToken, lexemeToken, valueToken } from './tokens.ts'

/** A condition in Typesense's syntax, which may pass more memories than the query's own. */
export interface IndexFilter {
  readonly text: string
  /** True if exactly the same memories pass. */
  readonly exact: boolean
}

/** Postgres handles longer lists of ids, and filters that only a statement expresses. */
export const IDS_MAX = 500
/** Typesense accepts a hundred operators in all; omitted clauses only let more memories pass. */
const CLAUSE_OPERATORS_MAX = 60

/**
 * Builds the filter of a query with the quotations and exclusions of every mode, and in keyword mode all of its clauses. Pending memories
 * are excluded, because the index has a stale version of them. Undefined when nothing can pass or Typesense could not accept it.
 */
export function toIndexFilter(query: EngineQuery, waiting: readonly string[], now: Date): IndexFilter | undefined {
  const { filter, workspaceId, match } = query
  const ids = filter.added?.map(({ passing }) => ('ids' in passing ? passing.ids : undefined))
  if (ids?.some(list => list === undefined || list.length === 0 || list.length > IDS_MAX)) return undefined
  const prefix = lexemePrefix(workspaceId)
  const binding = query.query.clauses.filter(
    clause => match === 'all' || clause.excluded || clause.terms.every(term => term.quoted),
  )
  const clauses = withinBound(binding.map(clause => clauseFilter(clause, prefix)))
  const parts = [
    `workspace:=${idToken(workspaceId)}`,
    `(lasting:=yes || expires_at:>${now.getTime()})`,
    ...columnFilters(filter),
    ...(waiting.length > 0 ? [`memory:!=[${waiting.map(idToken).join(',')}]`] : []),
    ...clauses.flatMap(({ text }) => (text === '' ? [] : [text])),
  ]
  return {
    text: parts.join(' && '),
    exact:
      (filter.metadata?.length ?? 0) === 0 && clauses.length === binding.length && clauses.every(({ exact }) => exact),
  }
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

/** Builds the condition of a clause. An exclusion that words alone cannot express excludes nothing here. */
function clauseFilter({ excluded, terms }: Clause, prefix: string): IndexFilter {
  const plain = terms.every(isPlain)
  if (excluded) {
    const lexemes = new Set(terms.flatMap(term => [...stepsOf(term).flat(), ...term.aliases]))
    const tokens = [...lexemes].map(lexeme => lexemeToken(prefix + lexeme))
    return { text: plain ? `words:!=[${tokens.join(',')}]` : '', exact: plain }
  }
  const alternatives = terms.flatMap(term => {
    const holds = (lexemes: readonly string[]) => {
      const tokens = lexemes.map(lexeme => lexemeToken(prefix + lexeme))
      return tokens.length === 1 ? `words:=${tokens.join('')}` : `words:=[${tokens.join(',')}]`
    }
    const all = stepsOf(term).map(holds)
    return [all.length === 1 ? all.join('') : `(${all.join(' && ')})`, ...term.aliases.map(alias => holds([alias]))]
  })
  return { text: alternatives.length === 1 ? alternatives.join('') : `(${alternatives.join(' || ')})`, exact: plain }
}

function withinBound(clauses: readonly IndexFilter[]): IndexFilter[] {
  let operators = 0
  return clauses.filter(({ text }) => {
    operators += 1 + (text.match(/&&|\|\|/g)?.length ?? 0)
    return operators <= CLAUSE_OPERATORS_MAX
  })
}

/** A single word in any inflection matches by its lexeme; other terms also need positions or the form as typed. */
function isPlain({ steps }: Term): boolean {
  return steps.length === 1 && steps[0]?.typed === false
}

/** Lists the alternative lexemes of each step; a few steps identify a long phrase well enough. */
function stepsOf({ steps }: Term): string[][] {
  const distinct = new Map(steps.map(({ lexeme, variants }) => [lexeme, [lexeme, ...variants]]))
  return [...distinct.values()].slice(0, 8)
}
