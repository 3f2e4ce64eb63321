import type { ParsedSql } from './parsed-sql.ts'

/** These statements end the transaction of a migration, or change it so that half of a file could stay. */
const TRANSACTION = 'TransactionStmt'

/** Postgres runs these statements outside of transactions only. */
const OUTSIDE_TRANSACTIONS: ReadonlySet<string> = new Set([
  'VacuumStmt',
  'CreatedbStmt',
  'DropdbStmt',
  'AlterSystemStmt',
  'CreateTableSpaceStmt',
  'DropTableSpaceStmt',
])

/** Anybody may read from these schemas. */
const SHARED_SCHEMAS: ReadonlySet<string> = new Set(['pg_catalog', 'information_schema'])

type Json = Readonly<Record<string, unknown>>

/**
 * Says what is wrong with a migration: one sentence each, none when it fits. It belongs to the transaction that it runs in, and to
 * the schema of its owner. A syntax error is no fault here: Postgres tells it better, with the place, when the file runs.
 * @param schema the owner's
 */
export function migrationFaults(schema: string, statements: ParsedSql): string[] {
  const temporary = new Set(
    relationsIn(statements ?? []).flatMap(({ node, name }) => (isTemporary(node) ? [name] : [])),
  )
  return [...new Set((statements ?? []).flatMap(statement => faultsOf(schema, temporary, statement)))]
}

function faultsOf(schema: string, temporary: ReadonlySet<string>, statement: unknown): string[] {
  const node = objectAt(statement, 'stmt')
  const kind = Object.keys(node)[0] ?? ''
  const body = objectAt(node, kind)
  if (kind === TRANSACTION) {
    return [`it holds ${transactionCommand(body)}; each file runs in a transaction of its own, so leave it out`]
  }
  if (OUTSIDE_TRANSACTIONS.has(kind) || isConcurrent(body)) {
    return ['it holds a statement that Postgres runs outside of transactions only, as an index made concurrently']
  }
  const relations = relationsIn(body)
    .filter(({ node: { schemaname }, name, isTarget }) => schemaname || (isTarget && !temporary.has(name)))
    .map(({ node: { schemaname }, name }) => (schemaname ? [String(schemaname), name] : [name]))
  return [...relations, ...definedNames(kind, body), ...droppedNames(kind, body)].flatMap(parts =>
    nameFaults(schema, parts),
  )
}

function nameFaults(schema: string, parts: readonly string[]): string[] {
  const [first = ''] = parts
  if (parts.length === 1)
    return [`it names ${first} without a schema, which is not yours then; write ${schema}.${first}`]
  if (first === schema || SHARED_SCHEMAS.has(first)) return []
  return [`it touches ${parts.join('.')}, which is another's; use the contract of the plugin that owns it`]
}

/** Turns `TRANS_STMT_ROLLBACK_TO` into `rollback to`. */
function transactionCommand({ kind }: Json): string {
  return String(kind ?? 'a transaction command')
    .replace(/^TRANS_STMT_/, '')
    .replaceAll('_', ' ')
    .toLowerCase()
}

function isConcurrent(body: Json): boolean {
  if (body.concurrent === true) return true
  const options = Array.isArray(body.params) ? body.params : []
  return options.some(option => objectAt(option, 'DefElem').defname === 'concurrently')
}

interface NamedRelation {
  readonly node: Json
  readonly name: string
  /** The statement makes or changes it; any other that it names may be a part of a query. */
  readonly isTarget: boolean
}

/** The parser has what a query reads in nodes of this kind, and the target of a statement in its place. */
const READ_RELATION = 'RangeVar'

function relationsIn(value: unknown, key = ''): NamedRelation[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(item => relationsIn(item))
  const node: Json = { ...value }
  const inside = Object.entries(node).flatMap(([name, part]) => relationsIn(part, name))
  const { relname } = node
  return typeof relname === 'string' ? [{ node, name: relname, isTarget: key !== READ_RELATION }, ...inside] : inside
}

function isTemporary({ relpersistence }: Json): boolean {
  return relpersistence === 't'
}

/** Statements that define a function, a type or an operator have its name in one of these, in parts. */
const DEFINED_NAMES = ['funcname', 'typeName', 'domainname', 'defnames']

function definedNames(kind: string, body: Json): string[][] {
  // A trigger may call a function of Postgres by its name alone.
  if (kind === 'CreateTrigStmt') return []
  return DEFINED_NAMES.map(key => partsOf(body[key])).filter(parts => parts.length > 0)
}

/** These are no objects of a schema but of a table, whose name comes first. */
const OF_TABLES: ReadonlySet<unknown> = new Set(['OBJECT_TRIGGER', 'OBJECT_POLICY', 'OBJECT_RULE'])

function droppedNames(kind: string, { objects, removeType }: Json): string[][] {
  if (kind !== 'DropStmt' || !Array.isArray(objects)) return []
  return objects
    .map(object => [
      objectAt(object, 'List').items,
      objectAt(object, 'TypeName').names,
      objectAt(object, 'ObjectWithArgs').objname,
    ])
    .map(lists => lists.flatMap(partsOf).slice(0, OF_TABLES.has(removeType) ? -1 : undefined))
    .filter(parts => parts.length > 0)
}

function partsOf(names: unknown): string[] {
  return Array.isArray(names) ? names.map(name => String(objectAt(name, 'String').sval)) : []
}

function objectAt(value: unknown, key: string): Json {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  return typeof found === 'object' && found !== null ? { ...found } : {}
}
