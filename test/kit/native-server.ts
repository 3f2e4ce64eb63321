import postgres from 'postgres'

/**
 * Makes a database: an empty one, or a copy of `template`, to which nobody may be connected. On a cluster (`CITUS_URL`) each node has a part of the copy: it
 * is made everywhere, and the catalogue of nodes and shards is copied with it.
 */
export async function createDatabase(serverUrl: string, name: string, template?: string): Promise<string> {
  for (const server of template ? await serversOf(serverUrl) : [serverUrl])
    await administer(server, sql => sql`create database ${sql(name)} template ${sql(template ?? 'template1')}`)
  if (serverUrl === process.env.CITUS_URL)
    await administer(serverUrl, sql => sql`alter database ${sql(name)} set citus.propagate_set_commands = 'local'`)
  return urlOf(serverUrl, name)
}

/** Makes an empty database with Citus on all nodes of a cluster, for tables to be distributed. */
export async function createCluster(serverUrl: string, name: string): Promise<string> {
  const servers = await serversOf(serverUrl)
  for (const server of servers) {
    await administer(server, sql => sql`create database ${sql(name)}`)
    await administer(urlOf(server, name), sql => sql.unsafe('create extension citus; create extension vector'))
  }
  await administer(urlOf(serverUrl, name), async sql => {
    const [coordinator, ...nodes] = servers.map(server => new URL(server))
    await sql`select citus_set_coordinator_host(${coordinator?.hostname ?? ''}, ${Number(coordinator?.port)})`
    for (const { hostname, port } of nodes) await sql`select citus_add_node(${hostname}, ${Number(port)})`
    await sql`alter database ${sql(name)} set citus.propagate_set_commands = 'local'`
  })
  return urlOf(serverUrl, name)
}

/** Makes a database of a cluster a template: Citus keeps connections to each part of it. */
export async function closeCluster(serverUrl: string, name: string): Promise<void> {
  for (const server of await serversOf(serverUrl))
    await administer(server, async sql => {
      await sql`alter database ${sql(name)} allow_connections false`
      await sql`select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = ${name}`
    })
}

export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  for (const server of await serversOf(serverUrl))
    await administer(server, sql => sql`drop database if exists ${sql(name)} with (force)`)
}

/** Drops what a run made, including what test files that were killed have left. */
export async function dropDatabasesNamed(serverUrl: string, prefix: string): Promise<void> {
  for (const server of await serversOf(serverUrl))
    await administer(server, async sql => {
      const left = await sql<
        { datname: string }[]
      >`select datname from pg_database where starts_with(datname, ${prefix})`
      for (const { datname } of left) await sql`drop database if exists ${sql(datname)} with (force)`
    })
}

/** The server, and the nodes that hold the tables where it is the coordinator of a cluster. */
async function serversOf(serverUrl: string): Promise<string[]> {
  if (serverUrl !== process.env.CITUS_URL) return [serverUrl]
  const servers = [serverUrl]
  await administer(serverUrl, async sql => {
    const nodes = await sql<{ nodename: string; nodeport: number }[]>`
      select nodename, nodeport from pg_dist_node where groupid > 0 order by nodeid`
    for (const { nodename, nodeport } of nodes) {
      const url = new URL(serverUrl)
      url.hostname = nodename
      url.port = String(nodeport)
      servers.push(url.href)
    }
  })
  return servers
}

function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

async function administer(serverUrl: string, work: (sql: postgres.Sql) => PromiseLike<unknown>): Promise<void> {
  const sql = postgres(serverUrl, { max: 1, onnotice: () => undefined })
  try {
    await work(sql)
  } finally {
    await sql.end({ timeout: 2 })
  }
}
