import { parse } from 'libpg-query'
import { filesWith, read } from './source.ts'

/** These are the reasons for which Citus 13 refuses statements on tables that are distributed by `workspace_id`, with what to write in its place. */
export const REFUSALS = {
  rows: 'inserts rows that no distributed table gives, which is a COPY, and row-level security refuses that: give them as `values` (`insertRows`)',
  workspace:
    'inserts from a select whose workspace is no plain column, which becomes a COPY: select `table.workspace_id`',
  insert: 'has a subquery or a `with` in an insert of values: divide the statement',
  lazy: 'calls a function that is not immutable inside CASE or COALESCE of an update or delete: give its value as a parameter',
  stable:
    'gives a column to a function or an operator that is only stable, in an update or delete: compute it, or compare without it',
  volatile: 'calls a volatile function in an update or delete: give its value as a parameter',
  returning: 'calls a function that is not immutable in RETURNING: return the columns, and compute outside of it',
  conflict: 'calls a function that is not immutable in ON CONFLICT: take the value from `excluded`',
  nothing: 'counts rows of a subquery that selects no column: name one',
  distinct: 'compares the workspace by `is not distinct from`, which goes to all nodes: compare by `=`',
  named: 'returns from an insert of a select whose table has no name of its own: write `insert into a.b as name`',
  element: 'sets a column to an element of an array, at which Citus 13 crashes: put `least` around it',
  simple: 'has a `case x when` in an update, which loses its operand: write `case when x = `',
  recursive: 'writes in a statement that is recursive: find the rows first, and write them in another',
} as const

export type Refusal = keyof typeof REFUSALS

type Tree = Readonly<Record<string, unknown>>

/** Lists why Citus would refuse the statements of a text; nothing for a text that is no SQL. */
export async function refusalsOf(text: string): Promise<Refusal[]> {
  const parsed = await parse(text).catch(() => undefined)
  return [...new Set((parsed?.stmts ?? []).flatMap(({ stmt }) => statementRefusals(asTree(stmt))))]
}

/** Tables that are distributed. */
const DISTRIBUTED: ReadonlySet<string> = new Set(
  filesWith('.sql').flatMap(path =>
    [...read(path).matchAll(/protect_tenant_table\('([a-z_.]+)'\)/g)].map(([, name = '']) => name),
  ),
)

/** Views of their rows. */
const VIEWS: ReadonlySet<string> = new Set(
  filesWith('.sql').flatMap(path =>
    [...read(path).matchAll(/^create view ([a-z_.]+) as/gm)].map(([, name = '']) => name),
  ),
)

function statementRefusals(statement: Tree): Refusal[] {
  if (!nodesIn(statement).some(({ kind, node }) => isDistributed(kind, node))) return []
  const recursive = nodesIn(statement).some(({ kind, node }) => kind === 'withClause' && node.recursive === true)
  const writes = nodesIn(asTree(statement.SelectStmt)).some(({ kind }) => /^(Insert|Update|Delete)Stmt$/.test(kind))
  const found = nodesIn(statement).flatMap(({ kind, node }): Refusal[] => {
    if (kind === 'InsertStmt') return insertRefusals(node)
    if (kind === 'UpdateStmt' || kind === 'DeleteStmt') return changeRefusals(node)
    if (kind === 'SelectStmt') return selectRefusals(node)
    if (kind === 'A_Expr' && node.kind === 'AEXPR_NOT_DISTINCT' && columnOf(node.lexpr) === 'workspace_id')
      return ['distinct']
    return []
  })
  return recursive && writes ? [...found, 'recursive'] : found
}

function insertRefusals(insert: Tree): Refusal[] {
  if (!isDistributed('RangeVar', asTree(insert.relation))) return []
  const conflict = asTree(insert.onConflictClause)
  const columns = listOf(asTree(conflict).targetList)
  return [
    ...sourceRefusals(insert),
    ...namelessRefusals(insert),
    ...elementRefusals(columns),
    ...returningRefusals(insert),
    ...(mutableIn([conflict.targetList, conflict.whereClause, asTree(conflict.infer).whereClause])
      ? (['conflict'] as const)
      : []),
  ]
}

function namelessRefusals(insert: Tree): Refusal[] {
  const select = asTree(asTree(insert.selectStmt).SelectStmt)
  const isNamed = asTree(insert.relation).alias !== undefined || insert.onConflictClause !== undefined
  const returns = insert.returningClause !== undefined || listOf(insert.returningList).length > 0
  return Array.isArray(select.valuesLists) || isNamed || !returns ? [] : ['named']
}

function elementRefusals(columns: readonly unknown[]): Refusal[] {
  const isElement = (column: unknown) =>
    listOf(asTree(asTree(asTree(asTree(column).ResTarget).val).A_Indirection).indirection).some(
      part => asTree(part).A_Indices !== undefined,
    )
  return columns.some(isElement) ? ['element'] : []
}

function sourceRefusals(insert: Tree): Refusal[] {
  const select = asTree(asTree(insert.selectStmt).SelectStmt)
  if (Array.isArray(select.valuesLists)) {
    const isDivided = insert.withClause === undefined && !nodesIn(select).some(({ kind }) => kind === 'SubLink')
    return isDivided ? [] : ['insert']
  }
  // The coordinator alone knows what a `with` has changed.
  const sources = nodesIn(select.fromClause).filter(({ kind, node }) => isDistributed(kind, node))
  const reads = readByWith(asTree(insert.withClause), select)
  if (sources.length + reads.length === 0) return ['rows']
  const place = listOf(insert.cols).findIndex(column => asTree(asTree(column).ResTarget).name === 'workspace_id')
  const given = asTree(asTree(listOf(select.targetList)[place]).ResTarget).val
  if (select.op === 'SETOP_NONE' && columnOf(given) !== 'workspace_id') return ['workspace']
  return volatileIn([select]) ? ['volatile'] : []
}

/** Distributed tables that a select reads through expressions of its `with` that change nothing. */
function readByWith(withClause: Tree, select: Tree) {
  const named = new Set(nodesIn(select.fromClause).map(({ node }) => node.relname))
  const expressions = listOf(withClause.ctes).map(each => asTree(asTree(each).CommonTableExpr))
  return expressions
    .filter(({ ctename, ctequery }) => named.has(ctename) && asTree(ctequery).SelectStmt !== undefined)
    .flatMap(({ ctequery }) => nodesIn(ctequery).filter(({ kind, node }) => isDistributed(kind, node)))
}

function changeRefusals(change: Tree): Refusal[] {
  if (!isDistributed('RangeVar', asTree(change.relation))) return []
  // The clauses that Citus looks at: what is set, what is compared, and where joins are.
  const clauses = [change.targetList, change.whereClause, ...joinsIn([change.fromClause, change.usingClause])]
  const isLazy = outsideSubqueries(clauses).some(
    ({ kind, node }) => (kind === 'CaseExpr' || kind === 'CoalesceExpr') && mutableIn([node]),
  )
  const isSimple = outsideSubqueries(clauses).some(({ kind, node }) => kind === 'CaseExpr' && node.arg !== undefined)
  return [
    ...elementRefusals(listOf(change.targetList)),
    ...(isSimple ? (['simple'] as const) : []),
    ...(isLazy ? (['lazy'] as const) : []),
    ...(outsideSubqueries(clauses).some(isStableOfColumn) ? (['stable'] as const) : []),
    ...(volatileIn([change.targetList, change.whereClause, change.fromClause, change.usingClause])
      ? (['volatile'] as const)
      : []),
    ...returningRefusals(change),
  ]
}

function returningRefusals({ returningClause, returningList }: Tree): Refusal[] {
  return mutableIn([returningClause, returningList]) ? ['returning'] : []
}

function selectRefusals(select: Tree): Refusal[] {
  const subqueries = listOf(select.fromClause).map(item =>
    asTree(asTree(asTree(asTree(item).RangeSubselect).subquery).SelectStmt),
  )
  const isEmpty = subqueries.some(({ targetList, fromClause }) => fromClause !== undefined && targetList === undefined)
  return isEmpty ? ['nothing'] : []
}

interface Found {
  readonly kind: string
  readonly node: Tree
}

/** Lists a tree's nodes with their kinds. The target of a statement has no kind of its own. */
function nodesIn(value: unknown, entering: (kind: string) => boolean = () => true): Found[] {
  if (Array.isArray(value)) return value.flatMap(item => nodesIn(item, entering))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(asTree(value)).flatMap(([kind, part]) => {
    if (typeof part !== 'object' || part === null || !entering(kind)) return []
    const own = Array.isArray(part) ? [] : [{ kind: kind === 'relation' ? 'RangeVar' : kind, node: asTree(part) }]
    return [...own, ...nodesIn(part, entering)]
  })
}

function outsideSubqueries(value: unknown): Found[] {
  return nodesIn(value, kind => kind !== 'SubLink' && kind !== 'SelectStmt')
}

function joinsIn(from: unknown): unknown[] {
  return outsideSubqueries(from).flatMap(({ kind, node }) => (kind === 'JoinExpr' ? [{ quals: node.quals }] : []))
}

function isDistributed(kind: string, { schemaname, relname }: Tree): boolean {
  const name = `${schemaname}.${relname}`
  return kind === 'RangeVar' && (DISTRIBUTED.has(name) || VIEWS.has(name))
}

function mutableIn(value: unknown): boolean {
  return nodesIn(value).some(isMutable)
}

function volatileIn(value: unknown): boolean {
  return nodesIn(value).some(({ kind, node }) => kind === 'FuncCall' && VOLATILE.has(functionOf(node)))
}

function isMutable({ kind, node }: Found): boolean {
  if (kind === 'SQLValueFunction') return true
  return kind === 'FuncCall' && (STABLE.has(functionOf(node)) || VOLATILE.has(functionOf(node)))
}

/** The syntax tells no types: what is added to or taken from a column together with an interval is taken for a time. */
function isStableOfColumn({ kind, node }: Found): boolean {
  const isStable =
    (kind === 'FuncCall' && STABLE.has(functionOf(node))) ||
    (kind === 'A_Expr' && /^[+-]$/.test(lastName(node.name)) && hasInterval([node.lexpr, node.rexpr]))
  return isStable && outsideSubqueries([node]).some(({ kind: part }) => part === 'ColumnRef')
}

function hasInterval(value: unknown): boolean {
  return outsideSubqueries(value).some(
    ({ kind, node }) => kind === 'TypeCast' && lastName(asTree(node.typeName).names) === 'interval',
  )
}

function functionOf({ funcname }: Tree): string {
  return lastName(funcname)
}

function columnOf(value: unknown): string {
  return lastName(asTree(asTree(value).ColumnRef).fields)
}

function lastName(parts: unknown): string {
  return String(asTree(asTree(listOf(parts).at(-1)).String).sval ?? '')
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function asTree(value: unknown): Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** Functions in use that read settings, the time or the catalogue; the test of these rules compares both lists with what Postgres has. */
export const STABLE: ReadonlySet<string> = new Set(
  'now statement_timestamp transaction_timestamp to_json to_jsonb jsonb_build_object json_build_object jsonb_build_array json_build_array jsonb_agg json_agg jsonb_object_agg json_object_agg concat concat_ws format to_char array_to_string array_to_json row_to_json current_setting current_workspace statement_deadline age convert_from convert_to format_type has_any_column_privilege has_table_privilege json_to_recordset jsonb_to_record jsonb_to_recordset pg_column_size pg_get_expr pg_has_role to_regclass to_regnamespace version pg_backend_pid'.split(
    ' ',
  ),
)

/** Functions in use that give another value each time, or change something. */
export const VOLATILE: ReadonlySet<string> = new Set(
  'clock_timestamp random end_statement gen_random_uuid nextval set_config pg_advisory_xact_lock pg_try_advisory_xact_lock pg_advisory_lock pg_advisory_xact_lock_shared pg_notify'.split(
    ' ',
  ),
)
