import type { Tx } from './database.ts'
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
  return [...new Set((statements ?? []).flatMap(statement => faultsOf(schema, statement)))]
}

function faultsOf(schema: string, statement: unknown): string[] {
  const node = objectAt(statement, 'stmt')
  const kind = Object.keys(node)[0] ?? ''
  const body = objectAt(node, kind)
  if (kind === TRANSACTION) {
    return [`it holds ${transactionCommand(body)}; each file runs in a transaction of its own, so leave it out`]
  }
  if (OUTSIDE_TRANSACTIONS.has(kind) || isConcurrent(body)) {
    return ['it holds a statement that Postgres runs outside of transactions only, as an index made concurrently']
  }
  return [...foreignTables(schema, body), ...droppedElsewhere(schema, kind, body)].map(
    table => `it touches ${table}, which is another's; use the contract of the plugin that owns it`,
  )
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

/** Lists tables that a statement names with another schema than the owner's. */
function foreignTables(schema: string, node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(item => foreignTables(schema, item))
  if (typeof node !== 'object' || node === null) return []
  const named: unknown = Reflect.get(node, 'schemaname')
  const table: unknown = Reflect.get(node, 'relname')
  const isForeign =
    typeof named === 'string' && typeof table === 'string' && named !== schema && !SHARED_SCHEMAS.has(named)
  return [
    ...(isForeign ? [`${named}.${table}`] : []),
    ...Object.values(node).flatMap(value => foreignTables(schema, value)),
  ]
}

/** A statement that drops things lists their names in parts. */
function droppedElsewhere(schema: string, kind: string, { objects }: Json): string[] {
  if (kind !== 'DropStmt' || !Array.isArray(objects)) return []
  return objects.flatMap(object => {
    const { items } = objectAt(object, 'List')
    const parts = Array.isArray(items) ? items.map(item => String(objectAt(item, 'String').sval)) : []
    return parts.length > 1 && parts[0] !== schema ? [parts.join('.')] : []
  })
}

function objectAt(value: unknown, key: string): Json {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  return typeof found === 'object' && found !== null ? { ...found } : {}
}

/**
 * Lists tables of a schema that hold rows of workspaces without the protection of tenant tables, as `core.event` has
 * it: row-level security that is forced on everybody, with the policy that binds the role of requests to its workspace.
 */
export async function unprotectedTables(tx: Tx, schema: string): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select format('%I.%I', namespace.nspname, tables.relname) as name
    from pg_class as tables
    join pg_namespace as namespace on namespace.oid = tables.relnamespace
    join pg_attribute as attribute
      on attribute.attrelid = tables.oid and attribute.attname = 'workspace_id' and not attribute.attisdropped
    where namespace.nspname = ${schema}
      and tables.relkind in ('r', 'p')
      and not (
        tables.relrowsecurity
        and tables.relforcerowsecurity
        and exists (
          select from pg_policy as own
          join pg_policy as model on model.polrelid = 'core.event'::regclass and model.polname = 'tenant'
          where own.polrelid = tables.oid
            and own.polroles = model.polroles
            and pg_get_expr(own.polqual, own.polrelid) = pg_get_expr(model.polqual, model.polrelid)
        )
      )
    order by 1`
  return rows.map(({ name }) => name)
}
