import { createHash } from 'node:crypto'
import type { Tx } from 'mneme/plugin'
import { type Addresses, meansResource } from './addresses.ts'
import { digestOf } from './clients.ts'
import { OAuthError } from './protocol.ts'
import { type Connection, deleteConnection, lockConnection, renewConnection } from './queries/connections.ts'
import type { OAuthScope } from './scope.ts'
import { readTicket, secondsNow, signTicket, type Ticket } from './signer.ts'

const ACCESS_SECONDS = 3600
/** A connection that no application used for so long is over. */
const UNUSED_MS = 30 * 24 * 3_600_000
/** A client whose response got lost, or that renews in two processes at once, gets the same refresh token again for so long. */
const AGAIN_MS = 30_000

type Form = Readonly<Record<string, string>>
type Parts = Pick<OAuthScope, 'database' | 'signer' | 'known'>

/** A token leads to the refresh token that is good now, by its number; one that was used before is a thief's, or its victim's. */
type Outcome = { readonly connection: Connection; readonly generation: number } | 'replayed'

/** Redeems the code that a browser brought (RFC 6749, 4.1.3). Throws OAuthError. */
export async function redeemCode(form: Form, addresses: Addresses, parts: Parts): Promise<object> {
  const ticket = readTicket(parts.signer, 'code', form.code ?? '')
  if (!ticket || ticket.count <= secondsNow()) throw invalidGrant()
  return issue(ticket, parts, async (tx, connection) => {
    requireOwn(connection, form, addresses)
    if (form.redirect_uri !== undefined && form.redirect_uri !== connection.redirectUri) throw invalidGrant()
    const verifier = form.code_verifier ?? ''
    if (createHash('sha256').update(verifier).digest('base64url') !== connection.challenge) throw invalidGrant()
    if (connection.generation > 0) return 'replayed'
    return renewed(tx, connection)
  })
}

/** Takes a refresh token for a new one (RFC 6749, 6). Throws OAuthError. */
export async function refresh(form: Form, addresses: Addresses, parts: Parts): Promise<object> {
  const ticket = readTicket(parts.signer, 'refresh', form.refresh_token ?? '')
  if (!ticket) throw invalidGrant()
  return issue(ticket, parts, async (tx, connection) => {
    requireOwn(connection, form, addresses)
    if (connection.expiresAt.getTime() <= Date.now()) throw invalidGrant()
    const { generation, rotatedAt } = connection
    if (ticket.count === generation) return renewed(tx, connection)
    const isAgain = ticket.count === generation - 1 && Date.now() - (rotatedAt?.getTime() ?? 0) < AGAIN_MS
    return isAgain ? { connection, generation } : 'replayed'
  })
}

async function renewed(tx: Tx, connection: Connection): Promise<Outcome> {
  await renewConnection(tx, connection, new Date(Date.now() + UNUSED_MS))
  return { connection, generation: connection.generation + 1 }
}

async function issue(
  { workspaceId, id }: Ticket,
  { database, signer, known }: Parts,
  decide: (tx: Tx, connection: Connection) => Promise<Outcome>,
): Promise<object> {
  const outcome = await database.workspace(
    workspaceId,
    async tx => {
      const connection = await lockConnection(tx, workspaceId, id)
      if (!connection) throw invalidGrant()
      const decided = await decide(tx, connection)
      // Whoever holds the other tokens of a stolen one loses them, too (RFC 9700, 4.14.2).
      if (decided === 'replayed') await deleteConnection(tx, workspaceId, id)
      return decided
    },
    { urgent: true },
  )
  known.delete(`${workspaceId} ${id}`)
  if (outcome === 'replayed') throw invalidGrant()
  const { connection, generation } = outcome
  return {
    access_token: signTicket(signer, 'access', { workspaceId, id, count: secondsNow() + ACCESS_SECONDS }),
    token_type: 'Bearer',
    expires_in: ACCESS_SECONDS,
    refresh_token: signTicket(signer, 'refresh', { workspaceId, id, count: generation }),
    scope: connection.permissions.join(' '),
  }
}

/** Throws for an application that is not the connection's, and for tokens that it wants for something else. */
function requireOwn({ client, resource }: Connection, form: Form, addresses: Addresses): void {
  if (digestOf(form.client_id ?? '') !== client) throw invalidGrant()
  if (form.resource !== undefined && !meansResource(form.resource, { ...addresses, resource }))
    throw new OAuthError('invalid_target', `The token is for ${resource} alone.`)
}

/** It does not say what is wrong, which would help nobody but a thief. */
function invalidGrant(): OAuthError {
  return new OAuthError('invalid_grant', 'The code or the token is not valid, or not any more, or not for this client.')
}
