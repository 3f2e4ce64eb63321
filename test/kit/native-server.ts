import postgres from 'postgres'

/** Makes a database: an empty one, or a copy of `template`, to which nobody may be connected. */
export async function createDatabase(serverUrl: string, name: string, template?: string): Promise<string> {
  await administer(serverUrl, sql => sql`create database ${sql(name)} template ${sql(template ?? 'template1')}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await administer(serverUrl, sql => sql`drop database if exists ${sql(name)} with (force)`)
}

/** Drops what a run made, including what test files that were killed have left. */
export async function dropDatabasesNamed(serverUrl: string, prefix: string): Promise<void> {
  await administer(serverUrl, async sql => {
    const left = await sql<{ datname: string }[]>`select datname from pg_database where starts_with(datname, ${prefix})`
    for (const { datname } of left) await sql`drop database if exists ${sql(datname)} with (force)`
  })
}

async function administer(serverUrl: string, work: (sql: postgres.Sql) => PromiseLike<unknown>): Promise<void> {
  const sql = postgres(serverUrl, { max: 1, onnotice: () => undefined })
  try {
    await work(sql)
  } finally {
    await sql.end({ timeout: 2 })
  }
}
