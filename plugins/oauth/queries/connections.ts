import { type Tx, textArray } from 'mneme/plugin'

/** An application that an account has let into a workspace. */
export interface Connection {
  readonly workspaceId: string
  readonly id: string
  readonly accountId: string
  readonly client: string
  readonly clientName: string
  readonly redirectUri: string
  readonly permissions: readonly string[]
  readonly userId: string | null
  readonly resource: string
  readonly challenge: string
  readonly generation: number
  readonly rotatedAt: Date | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

export type NewConnection = Omit<Connection, 'id' | 'generation' | 'rotatedAt' | 'createdAt'>

// The driver reads no arrays.
function columns(tx: Tx) {
  return tx`
    connection.workspace_id as "workspaceId", connection.id, connection.account_id as "accountId", connection.client,
    connection.client_name as "clientName", connection.redirect_uri as "redirectUri", to_json(connection.permissions) as permissions,
    connection.user_id as "userId", connection.resource, connection.challenge, connection.generation,
    connection.rotated_at as "rotatedAt", connection.created_at as "createdAt", connection.expires_at as "expiresAt"`
}

export async function insertConnection(tx: Tx, given: NewConnection): Promise<Connection> {
  const [stored] = await tx<{ id: string }[]>`
    insert into oauth.connection
      (workspace_id, account_id, client, client_name, redirect_uri, permissions, user_id, resource, challenge, expires_at)
    values (
      ${given.workspaceId}, ${given.accountId}, ${given.client}, ${given.clientName}, ${given.redirectUri},
      ${textArray(given.permissions)}::text[], ${given.userId}, ${given.resource}, ${given.challenge}, ${given.expiresAt}
    )
    returning id`
  const row = stored && (await findConnection(tx, given.workspaceId, stored.id))
  if (!row) throw new Error('the insert of a connection returned no row')
  return row
}

/** Finds a connection that is not over. */
export async function findConnection(tx: Tx, workspaceId: string, id: string): Promise<Connection | undefined> {
  const [row] = await tx<Connection[]>`
    select ${columns(tx)}
    from oauth.connection
    where connection.workspace_id = ${workspaceId}
      and connection.id = ${id}
      and connection.expires_at > now()`
  return row
}

/** Finds a connection and locks it, so that tokens which are used twice at once are told apart. */
export async function lockConnection(tx: Tx, workspaceId: string, id: string): Promise<Connection | undefined> {
  const [row] = await tx<Connection[]>`
    select ${columns(tx)}
    from oauth.connection
    where connection.workspace_id = ${workspaceId}
      and connection.id = ${id}
    for update`
  return row
}

/** Gives a connection its next refresh token, and time until `expiresAt`. */
export async function renewConnection(tx: Tx, { workspaceId, id }: Connection, expiresAt: Date): Promise<void> {
  await tx`
    update oauth.connection
    set generation = connection.generation + 1, rotated_at = now(), expires_at = ${expiresAt}
    where connection.workspace_id = ${workspaceId}
      and connection.id = ${id}`
}

export async function deleteConnection(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx`delete from oauth.connection where connection.workspace_id = ${workspaceId} and connection.id = ${id}`
}

/** Ends the oldest connections of an account in a workspace but for so many, and those that an application had before this one. */
export async function endFormer(
  tx: Tx,
  { workspaceId, accountId, client, id }: Connection,
  kept: number,
): Promise<void> {
  await tx`
    delete from oauth.connection
    where connection.workspace_id = ${workspaceId}
      and connection.account_id = ${accountId}
      and connection.id <> ${id}
      and (
        connection.client = ${client}
        or connection.id in (
          select oldest.id
          from oauth.connection as oldest
          where oldest.workspace_id = ${workspaceId}
            and oldest.account_id = ${accountId}
          order by oldest.created_at desc, oldest.id
          offset ${kept}
        )
      )`
}

/** Lists the connections that applications have taken up, newest first, with their total number. @param only those of this account */
export async function listConnections(
  tx: Tx,
  workspaceId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  only: string | undefined,
): Promise<{ connections: Connection[]; total: number }> {
  const matching = tx`
    and connection.generation > 0
    and connection.expires_at > now()
    ${only === undefined ? tx`` : tx`and connection.account_id = ${only}`}`
  const [connections, [count]] = await Promise.all([
    tx<Connection[]>`
      select ${columns(tx)}
      from oauth.connection
      where connection.workspace_id = ${workspaceId} ${matching}
      order by connection.created_at desc, connection.id
      limit ${limit} offset ${offset}`,
    tx<{ total: number }[]>`
      select count(*)::integer as total
      from oauth.connection
      where connection.workspace_id = ${workspaceId} ${matching}`,
  ])
  return { connections, total: count?.total ?? 0 }
}
