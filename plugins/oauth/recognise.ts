import type { FindConsent } from 'mneme/plugin'
import { addressesOf } from './addresses.ts'
import { RESOURCE_PATH } from './contract.ts'
import { findConnection } from './queries/connections.ts'
import type { OAuthScope } from './scope.ts'
import { readTicket, secondsNow } from './signer.ts'

/** Tells whose an access token is, for requests to what it was issued for. */
export function recogniseTokens({
  administration,
  database,
  signer,
  known,
}: Omit<OAuthScope, 'wiring' | 'events'>): FindConsent {
  return async (token, request) => {
    const ticket = readTicket(signer, 'access', token)
    if (!ticket || ticket.count <= secondsNow() || !isFor(request)) return undefined
    const { workspaceId, id } = ticket
    const place = `${workspaceId} ${id}`
    const connection =
      known.get(place) ?? (await database.workspace(workspaceId, tx => findConnection(tx, workspaceId, id)))
    if (!connection || connection.resource !== addressesOf(administration, request).resource) return undefined
    known.set(place, connection)
    const { accountId, permissions, userId } = connection
    return { id, accountId, workspaceId, permissions, subject: userId === null ? null : { userId } }
  }
}

/** The path as the routes know it, whatever the query says. */
function isFor({ url }: Request): boolean {
  return URL.canParse(url) && new URL(url).pathname.replace(/\/$/, '') === RESOURCE_PATH
}
