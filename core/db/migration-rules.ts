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

/** These statements change what later sessions begin with. */
const SETTINGS_OF_SESSIONS: ReadonlySet<string> = new Set(['AlterRoleSetStmt', 'AlterDatabaseSetStmt'])

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
  if (isSettingOfSession(kind, body)) {
    return [
      'it changes a setting for others too, who share its connection; write `set local`, which ends with the file',
    ]
  }
  const relations = relationsIn(body)
    .filter(({ node: { schemaname }, name, isTarget }) => schemaname || (isTarget && !temporary.has(name)))
    .map(({ node: { schemaname }, name }) => (schemaname ? [String(schemaname), name] : [name]))
  const names = [...relations, ...definedNames(kind, body), ...objectNames(body)]
  return [...names.flatMap(parts => nameFaults(schema, parts)), ...schemaFaults(schema, schemaNames(kind, body))]
}

function schemaFaults(schema: string, names: readonly string[]): string[] {
  return names
    .filter(name => name !== schema)
    .map(name => `it touches the schema ${name}, which is not yours; yours is ${schema}, and is made for you`)
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

function relationsIn(value: unknown): NamedRelation[] {
  return nodesIn(value).flatMap(({ node, key }) =>
    typeof node.relname === 'string' ? [{ node, name: node.relname, isTarget: key !== READ_RELATION }] : [],
  )
}

/** Lists a tree's nodes, each with the name that its parent has for it. */
function nodesIn(value: unknown, key = ''): { readonly node: Json; readonly key: string }[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(item => nodesIn(item))
  const node: Json = { ...value }
  return [{ node, key }, ...Object.entries(node).flatMap(([name, part]) => nodesIn(part, name))]
}

function isSettingOfSession(kind: string, body: Json): boolean {
  if (SETTINGS_OF_SESSIONS.has(kind)) return true
  if (kind === 'VariableSetStmt') {
    return body.is_local !== true && body.name !== 'TRANSACTION' && !String(body.kind).startsWith('VAR_RESET')
  }
  return nodesIn(body).some(({ node }) => partsOf(node.funcname).at(-1) === 'set_config' && !isTrue(node.args, 2))
}

function isTrue(args: unknown, index: number): boolean {
  const constant = objectAt(Array.isArray(args) ? args[index] : undefined, 'A_Const')
  return objectAt(constant, 'boolval').boolval === true
}

function isTemporary({ relpersistence }: Json): boolean {
  return relpersistence === 't'
}

/** Statements that define a function, a type or an operator have its name in one of these, in parts. */
const DEFINED_NAMES = ['funcname', 'typeName', 'domainname', 'defnames']

function definedNames(kind: string, body: Json): string[][] {
  // A trigger may call a function of Postgres by its name alone.
  if (kind === 'CreateTrigStmt') return []
  const altered = objectAt(body, 'func').objname
  const called = objectAt(body, 'funccall').funcname
  return [...DEFINED_NAMES.map(key => body[key]), altered, called].map(partsOf).filter(parts => parts.length > 0)
}

/** These are no objects of a schema but of a table or a domain, whose name comes first. */
const OF_RELATIONS: ReadonlySet<unknown> = new Set([
  'OBJECT_TRIGGER',
  'OBJECT_POLICY',
  'OBJECT_RULE',
  'OBJECT_COLUMN',
  'OBJECT_TABCONSTRAINT',
  'OBJECT_DOMCONSTRAINT',
])

/** Finds what is dropped, granted, commented on, renamed or given away. */
function objectNames(body: Json): string[][] {
  const isPart = OF_RELATIONS.has(objectType(body))
  return objectsOf(body)
    .map(object => [
      objectAt(object, 'List').items,
      objectAt(object, 'TypeName').names,
      objectAt(object, 'ObjectWithArgs').objname,
    ])
    .map(lists => lists.flatMap(partsOf).slice(0, isPart ? -1 : undefined))
    .filter(parts => parts.length > 0)
}

function objectsOf({ objects, object }: Json): unknown[] {
  return Array.isArray(objects) ? objects : [object]
}

function objectType({ removeType, objtype, objectType, renameType }: Json): unknown {
  return removeType ?? objtype ?? objectType ?? renameType
}

/** Finds schemas that a statement makes, changes or drops as a whole, or moves something into. */
function schemaNames(kind: string, body: Json): string[] {
  const { schemaname, newschema, subname, newname, targtype } = body
  const isOfSchemas = objectType(body) === 'OBJECT_SCHEMA'
  const names = [newschema]
  if (kind === 'CreateSchemaStmt') names.push(schemaname ?? objectAt(body, 'authrole').rolename)
  if (isOfSchemas) names.push(subname, newname)
  if (isOfSchemas || targtype === 'ACL_TARGET_ALL_IN_SCHEMA') {
    names.push(...objectsOf(body).map(object => objectAt(object, 'String').sval))
  }
  return names.filter(name => typeof name === 'string')
}

function partsOf(names: unknown): string[] {
  if (!Array.isArray(names)) return []
  return names.flatMap(name => {
    const { sval } = objectAt(name, 'String')
    return typeof sval === 'string' ? [sval] : partsOf(objectAt(name, 'TypeName').names)
  })
}

function objectAt(value: unknown, key: string): Json {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  return typeof found === 'object' && found !== null ? { ...found } : {}
}
