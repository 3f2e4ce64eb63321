import { APP_ROLE } from './app-role.ts'
import type { Tx } from './database.ts'

/**
 * Says what keeps tables of a schema with rows of workspaces from being tenant tables as `core.event` is one: one sentence each. They
 * have row-level security that is forced on everybody, with the policy that binds the role of requests to its workspace, and their primary
 * key begins with `workspace_id`, so that the rows of a workspace lie together. Rows without one belong to all workspaces: requests may read them
 * where a grant says so, and never write them.
 */
export async function tenantTableFaults(tx: Tx, schema: string): Promise<string[]> {
  const rows = await tx<{ name: string; protected: boolean; keyed: boolean }[]>`
    select
      format('%I.%I', namespace.nspname, tables.relname) as name,
      tables.relrowsecurity
      and tables.relforcerowsecurity
      and exists (
        select from pg_policy as own
        join pg_policy as model on model.polrelid = 'core.event'::regclass and model.polname = 'tenant'
        where own.polrelid = tables.oid
          and own.polroles = model.polroles
          and pg_get_expr(own.polqual, own.polrelid) = pg_get_expr(model.polqual, model.polrelid)
      ) as protected,
      exists (
        select from pg_index as key
        where key.indrelid = tables.oid and key.indisprimary and key.indkey[0] = attribute.attnum
      ) as keyed
    from pg_class as tables
    join pg_namespace as namespace on namespace.oid = tables.relnamespace
    join pg_attribute as attribute
      on attribute.attrelid = tables.oid and attribute.attname = 'workspace_id' and not attribute.attisdropped
    where namespace.nspname = ${schema} and tables.relkind in ('r', 'p')
    order by 1`
  const shared = await tx<{ name: string }[]>`
    select format('%I.%I', namespace.nspname, tables.relname) as name
    from pg_class as tables
    join pg_namespace as namespace on namespace.oid = tables.relnamespace
    where namespace.nspname = ${schema}
      and tables.relkind in ('r', 'p')
      and not exists (
        select from pg_attribute as attribute
        where attribute.attrelid = tables.oid and attribute.attname = 'workspace_id' and not attribute.attisdropped
      )
      and (
        has_table_privilege(${APP_ROLE}, tables.oid, 'delete, truncate')
        or has_any_column_privilege(${APP_ROLE}, tables.oid, 'insert, update')
      )
    order by 1`
  const ofAll = shared.map(
    ({ name }) =>
      `the table ${name} has no workspace_id, and requests of all workspaces may write to it; begin its primary key with one and add \`select core.protect_tenant_table('${name}');\`, or grant no more than select`,
  )
  const ofOne = rows.flatMap(({ name, protected: isProtected, keyed }) => {
    const has = `the table ${name} has a workspace_id and`
    const remedy = `add \`select core.protect_tenant_table('${name}');\` after it is created`
    return [
      ...(isProtected ? [] : [`${has} is not protected as a tenant table; ${remedy}`]),
      ...(keyed ? [] : [`${has} no primary key that begins with it; write \`primary key (workspace_id, …)\``]),
    ]
  })
  return [...ofOne, ...ofAll]
}
