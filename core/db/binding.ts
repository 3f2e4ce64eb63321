import type postgres from 'postgres'
import { APP_ROLE } from './app-role.ts'

/** Commands take no parameters, so nothing but a UUID may stand in one. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Both settings end with the transaction, so a pooled connection never carries one tenant's binding to another. They are
 * commands and no calls of `set_config`, because a distributed Postgres passes only commands on to its nodes.
 */
export function bindToWorkspace(tx: postgres.TransactionSql, workspaceId: string, statementMs?: number) {
  return tx.unsafe(`set local role ${APP_ROLE}; ${workspaceSetting(workspaceId)}${statementLimit(statementMs)}`)
}

/** On a connection that is the request role's for good. */
export function bindFixed(tx: postgres.TransactionSql, workspaceId: string, statementMs?: number) {
  return tx.unsafe(`${workspaceSetting(workspaceId)}${statementLimit(statementMs)}`)
}

function statementLimit(ms: number | undefined): string {
  return ms === undefined ? '' : `; set local statement_timeout = ${Math.ceil(ms)}`
}

function workspaceSetting(workspaceId: string): string {
  if (!UUID.test(workspaceId)) throw new TypeError('a transaction is bound to a workspace by its UUID')
  return `set local mneme.workspace_id = '${workspaceId}'`
}
