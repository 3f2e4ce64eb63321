import { Type } from 'mneme/plugin'
import { addressesOf, PATHS } from '../addresses.ts'
import { digestOf, findClient } from '../clients.ts'
import { answered, failureBody, json, OAuthError, readForm } from '../protocol.ts'
import { deleteConnection, lockConnection } from '../queries/connections.ts'
import { redeemCode, refresh } from '../redeem.ts'
import { route } from '../route.ts'
import type { OAuthScope } from '../scope.ts'
import { readTicket } from '../signer.ts'

const given = {
  method: 'POST',
  access: 'public',
  raw: true,
  bodyMaxBytes: 16_384,
  ignoresUnknownQuery: true,
  failureBody,
  responses: { 200: Type.Unknown() },
} as const

const GRANTS = { authorization_code: redeemCode, refresh_token: refresh }

export const tokenRoute = route({
  ...given,
  path: PATHS.token,
  summary: 'Redeem a code or a refresh token (RFC 6749)',
  handle: ({ request, scope }) =>
    answered(async () => {
      const form = await readClientForm(request, scope)
      const grant = Object.entries(GRANTS).find(([name]) => name === form.grant_type)?.[1]
      if (!grant) throw new OAuthError('unsupported_grant_type', 'Use authorization_code or refresh_token.')
      return json(200, await grant(form, addressesOf(scope.administration, request), scope))
    }),
})

/** Ends the whole connection, whichever of its tokens is given; of any other text it tells nothing (RFC 7009, 2.2). */
export const revokeRoute = route({
  ...given,
  path: PATHS.revoke,
  summary: 'Revoke a token (RFC 7009)',
  handle: ({ request, scope }) =>
    answered(async () => {
      const { token = '', client_id: clientId = '' } = await readClientForm(request, scope)
      const { signer, database, known } = scope
      const ticket = readTicket(signer, 'refresh', token) ?? readTicket(signer, 'access', token)
      if (ticket) {
        const { workspaceId, id } = ticket
        await database.workspace(workspaceId, async tx => {
          const connection = await lockConnection(tx, workspaceId, id)
          if (connection?.client === digestOf(clientId)) await deleteConnection(tx, workspaceId, id)
        })
        known.delete(`${workspaceId} ${id}`)
      }
      return json(200, {})
    }),
})

/** Applications are public and prove nothing by their id, yet one that is not registered here has no business here. */
async function readClientForm(request: Request, { signer }: OAuthScope) {
  const form = await readForm(request)
  if (!findClient(signer, form.client_id ?? ''))
    throw new OAuthError('invalid_client', 'The client is not registered here.', 401)
  return form
}
