import { introducesTable, type Sql, tokens } from './sql.ts'

/** A statement names the workspace of a tenant relation in one of these ways. */
export type Binding =
  /** It names one workspace by a parameter, so that it goes to one node. */
  | 'one'
  /** It takes the workspace from other rows, so that it may go to every node. */
  | 'many'
  /** It does not name the workspace: row-level security alone decides, or the owner means all. */
  | 'none'

/** One use of a tenant relation. */
export interface Use {
  readonly place: string
  readonly relation: string
  readonly binding: Binding
}

/**
 * Every use of one of `relations` (`schema.name`) in a piece of SQL. A statement that is put together from fragments is judged
 * fragment by fragment, so a fragment that names a relation has to name the workspace as well.
 */
export function usesOf({ place, text }: Sql, relations: ReadonlySet<string>): Use[] {
  return statementsOf(tokens(text)).flatMap(list => {
    const found = relationsIn(list, relations)
    const comparisons = comparisonsIn(list)
    const named = found.map(relation => ({ relation, sides: sidesOf(relation, found, comparisons, list) }))
    // A join to a relation whose workspace is a parameter goes to the same node.
    const one = named.some(({ sides }) => sides.includes('parameter'))
    return named.map(({ relation: { name }, sides }) => {
      const binding: Binding = sides.length === 0 ? 'none' : one ? 'one' : 'many'
      return { place, relation: name, binding }
    })
  })
}

interface Relation {
  readonly at: number
  readonly name: string
  readonly alias: string
  readonly inserted: boolean
}

/** A workspace is compared with this, or filled from it. */
type Side = 'parameter' | 'rows'

function statementsOf(list: readonly string[]): string[][] {
  const statements: string[][] = [[]]
  for (const token of list) {
    if (token === ';') statements.push([])
    else statements.at(-1)?.push(token)
  }
  return statements
}

const WORDS_AFTER_A_TABLE = new Set(
  'where join left right inner cross full on using set values select default order group limit for returning union with as $0'.split(
    ' ',
  ),
)

function relationsIn(list: readonly string[], relations: ReadonlySet<string>): Relation[] {
  return list.flatMap((token, at) => {
    if (list[at + 1] !== '.' || list[at - 1] === '.') return []
    const table = list[at + 2] ?? ''
    const name = `${token}.${table}`
    const before = list[at - 1] ?? ''
    const stands = introducesTable(before, list[at - 2] ?? '', list, at - 1) || before === ',' || before === 'using'
    if (!relations.has(name) || !stands) return []
    const next = list[at + 3] ?? ''
    const given =
      next === 'as' ? list[at + 4] : /^[a-z_]/.test(next) && !WORDS_AFTER_A_TABLE.has(next) ? next : undefined
    return [{ at, name, alias: given ?? table, inserted: before === 'into' }]
  })
}

interface Comparison {
  readonly at: number
  /** The relation whose workspace it is; none where the statement has only one. */
  readonly alias: string | undefined
  readonly side: Side
}

/** Every place where a workspace is compared: `a.workspace_id = $1`, `(a.workspace_id, a.id) in (…)`, `using (workspace_id, …)`. */
function comparisonsIn(list: readonly string[]): Comparison[] {
  return list.flatMap((token, at): Comparison[] => {
    if (token !== 'workspace_id') return []
    const alias = list[at - 1] === '.' ? list[at - 2] : undefined
    const start = alias === undefined ? at : at - 2
    if (list[at + 1] === '=') return [{ at, alias, side: sideAt(list, at + 2) }]
    if (list.slice(at + 1, at + 5).join(' ') === 'is not distinct from')
      return [{ at, alias, side: sideAt(list, at + 5) }]
    if (list[start - 1] === '=') return [{ at, alias, side: sideBefore(list, start - 2) }]
    if (list[start - 1] === '(' && list[start - 2] === 'using') return [{ at, alias, side: 'rows' }]
    return isRowComparison(list, start - 1) ? [{ at, alias, side: 'rows' }] : []
  })
}

/** Reads the right side of `=`: a parameter, a variable or a function of the transaction; or a column. */
function sideAt(list: readonly string[], at: number): Side {
  const token = list[at] ?? ''
  if (/^(\( select )?core \. current_workspace/.test(list.slice(at, at + 5).join(' '))) return 'parameter'
  if (token === 'any' || token === '(') return 'rows'
  return list[at + 1] === '.' && isIntroduced(list, token) ? 'rows' : 'parameter'
}

function sideBefore(list: readonly string[], at: number): Side {
  if (list[at] === ')') return 'rows'
  return list[at - 1] === '.' && isIntroduced(list, list[at - 2] ?? '') ? 'rows' : 'parameter'
}

/**
 * Tells whether rows of this name are the statement's own: a fragment may compare with rows of the statement that takes
 * it in.
 */
function isIntroduced(list: readonly string[], alias: string): boolean {
  return alias === 'new' || alias === 'old' || list.some((token, at) => token === alias && list[at + 1] !== '.')
}

function isRowComparison(list: readonly string[], open: number): boolean {
  if (list[open] !== '(') return false
  let depth = 0
  for (let at = open; at < list.length; at++) {
    if (list[at] === '(') depth++
    if (list[at] === ')' && --depth === 0) return /^(=|in|>|<|not)$/.test(list[at + 1] ?? '') || list[open - 1] === '='
  }
  return false
}

function sidesOf(
  relation: Relation,
  found: readonly Relation[],
  comparisons: readonly Comparison[],
  list: readonly string[],
): Side[] {
  if (relation.inserted) return insertedFrom(list, relation.at)
  return comparisons
    .filter(({ at, alias }) => (alias === undefined ? nearest(found, at) === relation : alias === relation.alias))
    .map(({ side }) => side)
}

/** The last relation that stands before `at`, or the first one. */
function nearest(found: readonly Relation[], at: number): Relation | undefined {
  return found.findLast(relation => relation.at < at) ?? found[0]
}

/**
 * Finds the value that an insert takes the workspace from, by its place among the columns; nothing when it has none.
 */
function insertedFrom(list: readonly string[], at: number): Side[] {
  const open = list.indexOf('(', at)
  const columns = list
    .slice(open + 1, list.indexOf(')', open))
    .join(' ')
    .split(' , ')
  const place = columns.indexOf('workspace_id')
  if (place !== 0) return place < 0 ? [] : ['rows']
  const rest = list.slice(list.indexOf(')', open) + 1)
  // Rows that `insertRows` puts in begin with the workspace, as a parameter.
  if (rest[0] === 'values' && /^\$\d/.test(rest[1] ?? '')) return ['parameter']
  const first = rest[0] === 'values' ? 2 : rest[0] === 'select' ? (rest[1] === 'distinct' ? 2 : 1) : -1
  return first < 0 ? ['rows'] : [/^\$\d/.test(rest[first] ?? '') ? 'parameter' : 'rows']
}
