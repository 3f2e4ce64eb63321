import { filesWith, isTest, type Node, parseSource, read } from './source.ts'

/** A piece of SQL: a file, or a tagged template or `unsafe` text in code. Holes of templates are `$0`. */
export interface Sql {
  readonly place: string
  readonly text: string
}

/** All SQL below a folder. */
export function sqlUnder(folder: string): Sql[] {
  const paths = filesWith('.sql', '.ts').filter(path => path.startsWith(folder) && !isTest(path))
  return paths.flatMap(path => (path.endsWith('.sql') ? [{ place: path, text: read(path) }] : sqlAt(path)))
}

const sqlByPath = new Map<string, readonly Sql[]>()

/** The SQL of a file of code, which is parsed once for all rules. */
function sqlAt(path: string): readonly Sql[] {
  const known = sqlByPath.get(path) ?? sqlIn(path, read(path))
  sqlByPath.set(path, known)
  return known
}

/** Every template literal that is tagged, or that is given to `unsafe`, as long as it reads like SQL. */
export function sqlIn(path: string, source: string): Sql[] {
  return parseSource(path, source).nodes.flatMap(({ node, parent }) => {
    const unsafe =
      parent?.type === 'CallExpression' && parent.child('callee')?.child('property')?.get('name') === 'unsafe'
    const tagged = parent?.type === 'TaggedTemplateExpression'
    if (node.type === 'TemplateLiteral' && (tagged || unsafe))
      return [{ place: `${path}:${node.line}`, text: quasis(node) }]
    if (node.type === 'StringLiteral' && unsafe)
      return [{ place: `${path}:${node.line}`, text: String(node.get('value')) }]
    return []
  })
}

function quasis(template: Node): string {
  const parts = template.get('quasis')
  return (Array.isArray(parts) ? parts : []).map(part => String(part.value.cooked)).join(' $0 ')
}

/** Words, numbers, operators; without comments, and with texts as `'…'`. Quoted identifiers lose their quotes. */
export function tokens(sql: string): string[] {
  const bare = sql
    .replace(/--[^\n]*/g, ' ')
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/'(?:[^']|'')*'/g, " '' ")
    .replace(/"([^"]*)"/g, '$1')
  return bare.toLowerCase().match(/\$\d+|\$[a-z_]*\$|[a-z_][a-z0-9_]*|\d+(?:\.\d+)?|''|[^\s]/g) ?? []
}

/** A relation or function that a statement names, with its schema if it has one. */
export interface Reference {
  readonly schema: string | undefined
  readonly name: string
}

/** Everything of the form `schema.name` where `schema` is one of `schemas`, and no alias of the statement stands there. */
export function qualified(list: readonly string[], schemas: ReadonlySet<string>): Reference[] {
  const aliases = new Set([...list.filter((_, n) => list[n - 1] === 'as'), ...commonTableExpressions(list)])
  return list.flatMap((token, n) => {
    const isAlias = aliases.has(token) && !introducesTable(list[n - 1] ?? '', list[n - 2] ?? '', list, n - 1)
    const isSchema = schemas.has(token) && list[n + 1] === '.' && list[n - 1] !== '.' && !isAlias
    return isSchema ? [{ schema: token, name: list[n + 2] ?? '' }] : []
  })
}

const NOT_TABLES = new Set([
  'select',
  'lateral',
  'only',
  'set',
  'where',
  'values',
  'rows',
  'if',
  'of',
  'skip',
  'nowait',
  'each',
  'public',
  'mneme_app',
])

/** Relations that a statement reaches without naming their schema, which a search path could bend. */
export function unqualifiedTables(list: readonly string[], further: ReadonlySet<string> = new Set()): string[] {
  const known = commonTableExpressions(list).union(further)
  return list.flatMap((token, n) => {
    const next = list[n + 1] ?? ''
    const before = list[n - 1] ?? ''
    if (!introducesTable(token, before, list, n)) return []
    if (!/^[a-z_]/.test(next) || NOT_TABLES.has(next) || known.has(next)) return []
    const isFunction = list[n + 2] === '(' && token !== 'into' && token !== 'references'
    return list[n + 2] === '.' || isFunction ? [] : [next]
  })
}

/** Tells whether the token at `at` stands before a relation: `from`, `join`, `update`, `into` and their like. */
export function introducesTable(token: string, before: string, list: readonly string[], at: number): boolean {
  if (token === 'from') return before !== 'distinct' && !insideFunction(list, at)
  if (token === 'update')
    return !['for', 'do', 'on', 'key', ',', 'select', 'insert', 'or', 'before', 'after'].includes(before)
  if (token === 'into') return before === 'insert' || before === 'merge'
  return token === 'join' || token === 'references' || token === 'truncate'
}

/** `extract(year from …)` and its like: a `from` that names no table. */
function insideFunction(list: readonly string[], at: number): boolean {
  let depth = 0
  for (let n = at - 1; n >= 0; n--) {
    if (list[n] === ')') depth++
    if (list[n] === '(' && depth-- === 0) return /^(extract|substring|trim|overlay)$/.test(list[n - 1] ?? '')
  }
  return false
}

/** Names given by `with a as (…), b (x) as materialized (…)`, and aliases of row sources named like that. */
export function commonTableExpressions(list: readonly string[]): Set<string> {
  const names = new Set<string>()
  for (let n = 0; n < list.length; n++) {
    if (list[n] !== 'as') continue
    const opens =
      list[n + 1] === '(' || (/^(not|materialized)$/.test(list[n + 1] ?? '') && list.slice(n, n + 4).includes('('))
    if (!opens) continue
    let at = n - 1
    if (list[at] === ')') while (at > 0 && list[at] !== '(') at--
    names.add(list[list[n - 1] === ')' ? at - 1 : at] ?? '')
  }
  return names
}
