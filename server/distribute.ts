import type { Database, Tx } from '../core/db/database.ts'
import { APP_ROLE } from '../core/db/database.ts'
import { messageOf } from '../core/failure-reason.ts'
import { citusVersion, type TenantTable, tenantTables, versionFault } from '../plugins/workspaces/index.ts'
import type { Answer } from './doctor.ts'

/**
 * Distributes all tables of workspaces over the nodes of Citus, side by side, with the functions that statements call there. What is distributed already stays
 * as it is, so it is run again after an upgrade.
 */
export async function distribute(
  { database }: { readonly database: Pick<Database, 'system'> },
  print: (line: string) => void,
): Promise<Answer> {
  const version = await database.system(citusVersion)
  if (version === undefined)
    return {
      code: 0,
      stdout: 'The database has no Citus, so there is nothing to distribute: one Postgres holds everything.',
    }
  const faults = await database.system(tx => clusterFaults(tx, version))
  if (faults.length > 0) return { code: 1, stderr: faults.join('\n') }
  const functions = await database.system(distributeFunctions)
  const tables = await database.system(tenantTables)
  let first = tables.find(({ isDistributed }) => isDistributed)
  const local = tables.filter(({ isDistributed }) => !isDistributed)
  for (const table of local) {
    await database.system(tx => distributeTable(tx, table, first))
    print(`Distributed ${table.name}`)
    first ??= table
  }
  await database.system(callAsCaller)
  const unreached = await database.system(requestRoleFaults)
  if (unreached.length > 0) return { code: 1, stderr: unreached.join('\n') }
  const notes = await database.system(indexNotes)
  return {
    code: 0,
    stdout: [
      `${tables.length} tables are distributed, ${local.length} of them now; ${functions} functions are on all nodes.`,
      ...notes,
    ].join('\n'),
  }
}

async function distributeTable(tx: Tx, { name }: TenantTable, first: TenantTable | undefined): Promise<void> {
  await tx`select create_distributed_table(${name}::text::regclass, 'workspace_id', colocate_with => ${first?.name ?? 'none'}::text)`
}

/** Puts the functions of the schemas with tenant tables on the nodes, where policies and statements call some of them. @returns how many there are */
async function distributeFunctions(tx: Tx): Promise<number> {
  await tx`
    create or replace function core.unindexed(id uuid) returns uuid language sql immutable parallel safe as 'select id'`
  const rows = await tx`
    select create_distributed_function(pg_proc.oid::regprocedure)
    from pg_proc
    where pg_proc.prokind = 'f'
      and pg_proc.provolatile in ('i', 's')
      and not pg_proc.prosecdef
      and pg_proc.pronamespace in (
        select pg_class.relnamespace from pg_class where pg_class.relforcerowsecurity and pg_class.relkind in ('r', 'p')
      )`
  return rows.length
}

/** Citus lets one role alone write to a node in a transaction, so functions that read tables of workspaces run as the request that calls them. */
async function callAsCaller(tx: Tx): Promise<void> {
  const functions = await tx<{ name: string }[]>`
    select distinct pg_proc.oid::regprocedure::text as name
    from pg_proc
    join pg_class on pg_class.relforcerowsecurity and pg_proc.prosrc ~ ('\\m' || pg_class.oid::regclass::text || '\\M')
    where pg_proc.prosecdef and pg_proc.pronamespace = pg_class.relnamespace`
  for (const { name } of functions)
    await tx.unsafe(`alter function ${name} security invoker; grant execute on function ${name} to ${APP_ROLE}`)
}

/** Says what a cluster lacks before its tables can be distributed, a sentence each. */
async function clusterFaults(tx: Tx, version: string): Promise<string[]> {
  const unknown = versionFault(version)
  if (unknown !== undefined) return [unknown]
  const [state] = await tx<{ nodes: number; settings: string | null; host: string; role_can_login: boolean }[]>`
    select
      (select count(*)::int from pg_dist_node where pg_dist_node.isactive and pg_dist_node.shouldhaveshards) as nodes,
      current_setting('citus.propagate_set_commands', true) as settings,
      coalesce((select bool_or(pg_roles.rolcanlogin) from pg_roles where pg_roles.rolname = ${APP_ROLE}), false) as role_can_login`
  const nodes = state?.nodes ?? 0
  const vectors = nodes === 0 ? [] : await onNodes(tx, `select count(*) from pg_extension where extname = 'vector'`)
  return [
    ...(nodes === 0
      ? [`No node takes tables: add one on the coordinator, as \`select citus_add_node('10.0.0.2', 5432)\`.`]
      : []),
    ...vectors
      .filter(({ result }) => result !== '1')
      .map(({ node, result }) => `The node ${node} lacks the extension vector or cannot be reached: ${result}`),
    ...(state?.settings === 'local'
      ? []
      : [
          `Settings of a transaction do not reach the nodes: \`alter database … set citus.propagate_set_commands = 'local'\`.`,
        ]),
    ...(state?.role_can_login
      ? []
      : [
          `Citus connects to the nodes as the role of a request, which may not log in: \`alter role ${APP_ROLE} login\`.`,
        ]),
  ]
}

/** Says which nodes do not let the request role in. */
async function requestRoleFaults(tx: Tx): Promise<string[]> {
  await tx.unsafe(`set local role ${APP_ROLE}`)
  const answers = await onNodes(tx, 'select current_user')
  return answers
    .filter(({ result }) => result !== APP_ROLE)
    .map(
      ({ node, result }) =>
        `The node ${node} does not let the role ${APP_ROLE} in from the coordinator (pg_hba.conf, or pg_dist_authinfo for a password): ${result}`,
    )
}

/** An operator that may tell of other rows uses no index under row-level security, and on the nodes requests are always under it. */
async function indexNotes(tx: Tx): Promise<string[]> {
  const answers = await onNodes(
    tx,
    `select count(*) from pg_proc where oid = 'pg_catalog.ts_match_vq(tsvector,tsquery)'::regprocedure and proleakproof`,
  )
  return answers
    .filter(({ result }) => result !== '1')
    .map(
      ({ node }) =>
        `Note: the node ${node} finds words without their index, by reading all texts of the workspace. A superuser changes that there: \`alter function pg_catalog.ts_match_vq(tsvector, tsquery) leakproof\`.`,
    )
}

async function onNodes(tx: Tx, command: string): Promise<{ readonly node: string; readonly result: string }[]> {
  return tx<{ node: string; result: string }[]>`
    select nodename || ':' || nodeport as node, result from run_command_on_workers(${command})`.catch(error => {
    throw new Error(`the nodes cannot be asked: ${messageOf(error)}`, { cause: error })
  })
}
