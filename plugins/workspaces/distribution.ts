import type { Database, HealthCheck, Tx } from 'mneme/plugin'

/** Versions of Citus on which Mneme was run, by their first number. */
const CITUS_KNOWN = 13

const REMEDY = 'Run: bun run server distribute'

/** A table of rows of workspaces, with whether its rows lie on the nodes already. */
export interface TenantTable {
  readonly name: string
  readonly isDistributed: boolean
}

/** Tells the version of Citus that this database has, such as `13.2-1`; undefined for one Postgres. */
export async function citusVersion(tx: Tx): Promise<string | undefined> {
  const [row] = await tx<{ version: string }[]>`
    select pg_extension.extversion as version from pg_extension where pg_extension.extname = 'citus'`
  return row?.version
}

/** Says what is wrong with a version; undefined for one that is known. */
export function versionFault(version: string): string | undefined {
  if (Number.parseInt(version, 10) === CITUS_KNOWN) return undefined
  return `The database has Citus ${version}, which this version of Mneme does not know: install Citus ${CITUS_KNOWN}.`
}

/** Lists the tenant tables of the kernel and of all plugins, third parties' too, in the order of their making. For a database with Citus. */
export async function tenantTables(tx: Tx): Promise<TenantTable[]> {
  return tx<TenantTable[]>`
    select
      pg_class.oid::regclass::text as name,
      pg_dist_partition.logicalrelid is not null as "isDistributed"
    from pg_class
    join pg_attribute on pg_attribute.attrelid = pg_class.oid
    left join pg_dist_partition on pg_dist_partition.logicalrelid = pg_class.oid and pg_dist_partition.partmethod = 'h'
    where pg_class.relkind in ('r', 'p')
      and pg_class.relforcerowsecurity
      and pg_attribute.attname = 'workspace_id'
      and not pg_attribute.attisdropped
    order by pg_class.oid`
}

/** Tells whether `distribute` has given the views a column that tells the node; see `core.unindexed`. */
async function areFunctionsReady(tx: Tx): Promise<boolean> {
  const [row] = await tx<{ ready: boolean }[]>`
    select pg_proc.prosrc not like '%least%' as ready from pg_proc where pg_proc.oid = 'core.unindexed(uuid)'::regprocedure`
  return row?.ready ?? false
}

/** Says in one sentence why no request can be served on this cluster; undefined where all can. */
async function distributionFault(tx: Tx, version: string): Promise<string | undefined> {
  const unknown = versionFault(version)
  if (unknown !== undefined) return unknown
  const tables = await tenantTables(tx)
  const local = tables.filter(({ isDistributed }) => !isDistributed)
  if (local.length === 0)
    return (await areFunctionsReady(tx))
      ? undefined
      : `The functions of an upgrade are not on the nodes of Citus. ${REMEDY}`
  return `${local.length} of ${tables.length} tables, such as ${local[0]?.name}, are not distributed over the nodes of Citus. ${REMEDY}`
}

/**
 * Makes the checks of a database with Citus: `/ready` fails while not all tenant tables are distributed. One Postgres is asked for its version once, and
 * has no check. A cluster is asked until all is well.
 */
export async function distributionChecks(database: Pick<Database, 'system'>): Promise<HealthCheck[]> {
  const version = await database.system(citusVersion)
  if (version === undefined) return []
  let fault: string | undefined
  let isFine = false
  return [
    {
      name: 'distribution',
      essential: true,
      async check() {
        if (isFine) return
        fault = await database.system(tx => distributionFault(tx, version))
        if (fault !== undefined) throw new Error(fault)
        isFine = true
      },
      details: () => (fault === undefined ? undefined : { fault }),
    },
  ]
}
