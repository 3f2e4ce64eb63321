import { createHash, randomBytes } from 'node:crypto'
import type { TestAccount } from '../../test/kit/accounts.ts'
import type { Client } from '../../test/kit/client.ts'
import type { AuthorizationRequest } from './request.ts'

export const CALLBACK = 'https://app.example.com/callback'

/** A secret that only the application has, and what it shows of it. */
export function pkce() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** Registers an application, as it does by itself. */
export async function register(anonymous: Client, metadata: object = {}): Promise<string> {
  const { status, body } = await anonymous.post('/v1/oauth/register', {
    client_name: 'Notebook',
    redirect_uris: [CALLBACK],
    ...metadata,
  })
  if (status !== 201) throw new Error(`registration failed: ${JSON.stringify(body)}`)
  return body.client_id
}

/** Makes the parameters that an application sends the browser with. */
export function requestOf(clientId: string, challenge: string, more: Partial<AuthorizationRequest> = {}) {
  return {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'tea',
    ...more,
  }
}

/** A person who is signed in consents. @returns the code */
export async function consent(
  person: Client,
  request: object,
  more: object = {},
  workspaceId?: string,
): Promise<string> {
  const { status, body } = await person.post(
    '/v1/connections',
    { request, permissions: ['memory.read', 'memory.write'], ...more },
    workspaceId ? { query: { workspace_id: workspaceId } } : {},
  )
  if (status !== 201) throw new Error(`consent failed: ${JSON.stringify(body)}`)
  return new URL(body.redirect_url).searchParams.get('code') ?? ''
}

/** Sends a form, as the protocol has it. */
export function form(anonymous: Client, path: string, fields: Readonly<Record<string, string>>) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return anonymous.request('POST', path, { raw: new URLSearchParams(fields).toString(), headers })
}

/** An application that an account has let in, with its tokens. */
export async function connected(
  anonymous: Client,
  account: Pick<TestAccount, 'signIn'>,
  more: { readonly permissions?: readonly string[]; readonly user_id?: string; readonly workspaceId?: string } = {},
) {
  const { verifier, challenge } = pkce()
  const clientId = await register(anonymous)
  const { workspaceId, ...consented } = more
  const person = await account.signIn()
  const code = await consent(person, requestOf(clientId, challenge), consented, workspaceId)
  const redeemed = {
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    code_verifier: verifier,
    redirect_uri: CALLBACK,
  }
  const { status, body } = await form(anonymous, '/v1/oauth/token', redeemed)
  if (status !== 200) throw new Error(`no token: ${JSON.stringify(body)}`)
  const access = anonymous.with({ authorization: `Bearer ${body.access_token}` })
  const refresh = (token: string) =>
    form(anonymous, '/v1/oauth/token', { grant_type: 'refresh_token', refresh_token: token, client_id: clientId })
  return { clientId, person, code, verifier, redeemed, tokens: body, access, refresh }
}

/** Has a tool called by MCP. */
export function callTool(client: Client, name: string, args: object = {}, query: Record<string, string> = {}) {
  return client.post(
    '/v1/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    { query },
  )
}
