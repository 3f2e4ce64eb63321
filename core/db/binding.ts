import type postgres from 'postgres'
import { APP_ROLE } from './app-role.ts'
import { SNAPSHOT_IDLE_LIMIT } from './session-settings.ts'

/** Commands take no parameters, so nothing but a UUID may stand in one. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Both settings end with the transaction, so a pooled connection never carries one tenant's binding to another. They are
 * commands and no calls of `set_config`, because a distributed Postgres passes only commands on to its nodes.
 */
export function bindToWorkspace(tx: postgres.TransactionSql, workspaceId: string, limits: BoundLimits = {}) {
  return send(tx, `set local role ${APP_ROLE}; ${workspaceSetting(workspaceId)}${limitSettings(limits)}`)
}

/** On a connection that is the request role's for good. */
export function bindFixed(tx: postgres.TransactionSql, workspaceId: string, limits: BoundLimits = {}) {
  return send(tx, `${workspaceSetting(workspaceId)}${limitSettings(limits)}`)
}

/** Limits the statements of a transaction that is bound to no workspace. */
export async function limitStatements(tx: postgres.TransactionSql, { statementMs }: BoundLimits = {}) {
  if (statementMs !== undefined) await send(tx, `set local ${statementLimit(statementMs)}`)
}

/** Sends it now, ahead of what is sent next, whether its end is awaited or not. */
function send(tx: postgres.TransactionSql, settings: string): Promise<unknown> {
  return tx.unsafe(settings).execute()
}

/** Limits of one transaction; left out, those of its session hold. */
export interface BoundLimits {
  readonly statementMs?: number | undefined
  /** Its work may pause for {@link SNAPSHOT_IDLE_LIMIT} between two statements. */
  readonly idlesLong?: boolean
}

function limitSettings({ statementMs, idlesLong = false }: BoundLimits): string {
  const statement = statementMs === undefined ? '' : `; set local ${statementLimit(statementMs)}`
  return idlesLong
    ? `${statement}; set local idle_in_transaction_session_timeout = '${SNAPSHOT_IDLE_LIMIT}'`
    : statement
}

function statementLimit(statementMs: number): string {
  return `statement_timeout = ${Math.ceil(statementMs)}`
}

function workspaceSetting(workspaceId: string): string {
  if (!UUID.test(workspaceId)) throw new TypeError('a transaction is bound to a workspace by its UUID')
  return `set local mneme.workspace_id = '${workspaceId}'`
}
