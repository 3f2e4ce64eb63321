import { type Caller, created, fail } from 'mneme/plugin'
import { tokenExample } from '../examples.ts'
import { keyChecks } from '../key-rules.ts'
import { tokenResponse } from '../responses.ts'
import { asCaller, route } from '../route.ts'
import { createTokenBody } from '../schemas.ts'

export const createTokenRoute = route({
  method: 'POST',
  path: '/v1/tokens',
  operationId: 'createToken',
  access: { permission: 'token.write' },
  beyondQuota: true,
  summary: 'Make a token for a user',
  description:
    'A token is a key for a day at most that reads and writes only what is of one user, made without a signed-in account: for the browser or the agent of that user. It has at most the permissions of the key that makes it, is in no list, and ends with that key. Of a signed-in account it is an API key with a time, listed and revoked as one.',
  body: createTokenBody,
  checks: keyChecks,
  responses: { 201: tokenResponse },
  secretResponse: true,
  examples: {
    body: { user_id: 'ada', permissions: ['memory.read', 'memory.write'], expires_in: 3600 },
    response: tokenExample,
  },
  async handle({ body, caller, tenant: { workspace }, scope }) {
    const permissions = [...new Set(body.permissions)]
    requirePermissions(caller, permissions)
    const expiresAt = new Date(Date.now() + body.expires_in * 1000)
    const { key } = await asCaller(scope, caller, tx =>
      scope.administration.keys.insert(tx, {
        accountId: caller.accountId,
        workspaceId: workspace.twinOf ?? workspace.id,
        name: 'Token',
        mode: workspace.twinOf === null ? 'live' : 'test',
        permissions,
        subject: { userId: body.user_id, agentId: body.agent_id },
        parentId: caller.kind === 'key' ? caller.id : null,
        expiresAt,
      }),
    )
    return created({ token: key, expires_at: expiresAt.toISOString() })
  },
})

/** Nobody gives what they lack. */
function requirePermissions({ permissions: own }: Caller, wanted: readonly string[]): void {
  const missing = own === 'all' ? [] : wanted.filter(permission => !own.has(permission))
  if (missing.length > 0) throw fail('FORBIDDEN', { message: `This key lacks the permission ${missing.join(', ')}.` })
}
