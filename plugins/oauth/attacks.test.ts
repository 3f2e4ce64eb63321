import { beforeAll, describe, expect, test } from 'bun:test'
import { masterKey } from '../../core/secrets/key-ring.ts'
import { ENCRYPTION_KEY, type TestAccount } from '../../test/kit/accounts.ts'
import { service, type TestService } from '../../test/support/service.ts'
import { until } from '../../test/support/wait.ts'
import { createSigner, signTicket } from './signer.ts'
import { CALLBACK, callTool, connected, consent, form, pkce, register, requestOf } from './world.test-support.ts'

let running: TestService
let account: TestAccount
beforeAll(async () => {
  running = await service()
  account = await running.account({ workspaces: 2 })
})

const TOKEN = '/v1/oauth/token'
const GRANT = { status: 400, body: { error: 'invalid_grant' } }

/** The status of a call of MCP, and of a tool in it. */
const statusOf = async (...given: Parameters<typeof callTool>) => (await callTool(...given)).status

describe('a code', () => {
  test('is good once: who sends it again ends what it gave', async () => {
    const { redeemed, access, tokens, refresh } = await connected(running.anonymous, account)
    expect(await statusOf(access, 'list_memories')).toBe(200)
    expect(await form(running.anonymous, TOKEN, redeemed)).toMatchObject(GRANT)
    expect(await statusOf(access, 'list_memories')).toBe(401)
    expect(await refresh(tokens.refresh_token)).toMatchObject(GRANT)
  })

  test('is good for who has the verifier, as the client that it was given to, at its address', async () => {
    const { anonymous } = running
    const { verifier, challenge } = pkce()
    const [clientId, other] = [await register(anonymous), await register(anonymous, { client_name: 'Thief' })]
    const code = await consent(await account.signIn(), requestOf(clientId, challenge))
    const good = {
      grant_type: 'authorization_code',
      code,
      client_id: clientId,
      code_verifier: verifier,
      redirect_uri: CALLBACK,
    }
    const { code_verifier: _, ...without } = good
    for (const fields of [
      without,
      { ...good, code_verifier: '' },
      { ...good, code_verifier: challenge },
      { ...good, code_verifier: pkce().verifier },
      { ...good, client_id: other },
      { ...good, redirect_uri: 'https://app.example.com/other' },
      { ...good, code: `${code}x` },
      { ...good, code: code.replace('mn_code_', 'mn_access_') },
    ]) {
      expect(await form(anonymous, TOKEN, fields)).toMatchObject(GRANT)
    }
    const elsewhere = await form(anonymous, TOKEN, { ...good, resource: 'https://other.example.com/v1/mcp' })
    expect(elsewhere).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
    const stranger = await form(anonymous, TOKEN, { ...good, client_id: 'mn_client_W10.x' })
    expect(stranger).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect((await form(anonymous, TOKEN, good)).status).toBe(200)
  })

  test('is redeemed by one of two who send it at once', async () => {
    const { anonymous } = running
    const { verifier, challenge } = pkce()
    const clientId = await register(anonymous)
    const code = await consent(await account.signIn(), requestOf(clientId, challenge))
    const fields = { grant_type: 'authorization_code', code, client_id: clientId, code_verifier: verifier }
    const both = await Promise.all([form(anonymous, TOKEN, fields), form(anonymous, TOKEN, fields)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })
})

describe('an access token', () => {
  test('is for the endpoint alone, at the address that it was issued for', async () => {
    const { access, tokens } = await connected(running.anonymous, account)
    expect(await statusOf(access, 'list_memories')).toBe(200)
    for (const path of [
      '/v1/memories',
      '/v1/workspaces',
      '/v1/connections',
      '/v1/api-keys',
      '/bridges/mem0/v1/memories/',
    ]) {
      expect([path, (await access.get(path)).status]).toEqual([path, 401])
    }
    const elsewhere = new Request('http://other.example.com/v1/mcp', {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    })
    expect((await running.anonymous.fetch(elsewhere)).status).toBe(401)
  })

  test('ends, and none that somebody makes up or changes is one', async () => {
    const { tokens } = await connected(running.anonymous, account)
    const { access_token: token } = tokens
    const [workspaceId, id] = JSON.parse(
      Buffer.from(token.slice('mn_access_'.length).split('.')[0], 'base64url').toString(),
    )
    const keys = [masterKey(ENCRYPTION_KEY).derive('access-tokens')]
    const past = signTicket(createSigner(keys), 'access', { workspaceId, id, count: Math.floor(Date.now() / 1000) - 1 })
    const foreign = signTicket(createSigner(['00'.repeat(32)]), 'access', { workspaceId, id, count: 9e9 })
    const longer = signTicket(createSigner(keys), 'access', { workspaceId, id, count: 9e9 })
    const mixed = `${longer.split('.')[0]}.${token.split('.')[1]}`
    for (const bad of [
      past,
      foreign,
      mixed,
      `${token}=`,
      `${token}.`,
      token.slice(0, -1),
      tokens.refresh_token,
      'mn_access_',
      'mn_access_.',
    ]) {
      const client = running.anonymous.with({ authorization: `Bearer ${bad}` })
      const { status, headers } = await callTool(client, 'list_memories')
      expect([bad, status]).toEqual([bad, 401])
      expect(headers.get('www-authenticate')).toBe(
        'Bearer error="invalid_token", resource_metadata="http://localhost/.well-known/oauth-protected-resource/v1/mcp"',
      )
    }
  })

  test('reaches its workspace alone', async () => {
    const [own = '', other = ''] = account.workspaceIds
    const { access } = await connected(running.anonymous, account, { workspaceId: other })
    const foreign = await running.account()
    expect(await statusOf(access, 'list_memories', {}, { workspace_id: other })).toBe(200)
    for (const id of [own, foreign.workspaceId]) {
      const { status, body } = await callTool(access, 'list_memories', {}, { workspace_id: id })
      expect([status, body.error_code]).toEqual([403, 'WORKSPACE_ACCESS_DENIED'])
    }
  })

  test('does what was allowed and no more, for the user it is bound to', async () => {
    const { access } = await connected(running.anonymous, account, { permissions: ['memory.read'], user_id: 'ada' })
    const { body } = await access.post('/v1/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const names = body.result.tools.map(({ name }: { name: string }) => name)
    expect(names).toContain('search_memories')
    expect(names).not.toContain('add_memory')
    const another = await callTool(access, 'list_memories', { user_id: 'bob' })
    expect(another.body.result).toMatchObject({ isError: true })
    expect((await callTool(access, 'list_memories', { user_id: 'ada' })).body.result.isError).toBe(false)
  })
})

describe('what an account let in', () => {
  test('ends with its membership, and follows its role', async () => {
    const owner = await account.signIn()
    const guest = await running.account()
    const workspaceId = account.workspaceId
    await running.database.system(
      tx =>
        tx`insert into core.member (workspace_id, account_id, role) values (${workspaceId}, ${guest.accountId}, 'editor')`,
    )
    const { access } = await connected(running.anonymous, guest, { workspaceId })
    const write = () => callTool(access, 'add_memory', { memory: `Tea ${Math.random()}`, user_id: 'ada' })
    expect((await write()).body.result.isError).toBe(false)
    expect(
      (
        await owner.patch(
          `/v1/members/${guest.accountId}`,
          { role: 'viewer' },
          { query: { workspace_id: workspaceId } },
        )
      ).status,
    ).toBe(200)
    expect((await write()).body.error?.message ?? '').toContain('Unknown tool')
    expect(await statusOf(access, 'list_memories')).toBe(200)
    await owner.delete(`/v1/members/${guest.accountId}`, { query: { workspace_id: workspaceId } })
    expect(await statusOf(access, 'list_memories')).toBe(403)
  })

  test('ends with the account', async () => {
    const guest = await running.account()
    const { access } = await connected(running.anonymous, guest)
    expect(await statusOf(access, 'list_memories')).toBe(200)
    await running.database.system(async tx => {
      await tx`delete from core.workspace where workspace.account_id = ${guest.accountId}`
      await tx`delete from core.account where account.id = ${guest.accountId}`
    })
    await until('the token is refused', async () => (await statusOf(access, 'list_memories')) === 401 || undefined)
  })

  test('is seen and ended by the account, and by admins, and by nobody else', async () => {
    const guest = await running.account()
    const workspaceId = account.workspaceIds[1] ?? ''
    await running.database.system(
      tx =>
        tx`insert into core.member (workspace_id, account_id, role) values (${workspaceId}, ${guest.accountId}, 'viewer')`,
    )
    const owners = await connected(running.anonymous, account, { workspaceId })
    const guests = await connected(running.anonymous, guest, { workspaceId, permissions: ['memory.read'] })
    const query = { workspace_id: workspaceId }
    const seen = async (client: typeof guests.person) => (await client.get('/v1/connections', { query })).body.data
    const own = await seen(guests.person)
    expect(own).toMatchObject([{ client_name: 'Notebook', redirect_host: 'app.example.com', account: guest.email }])
    const all = await seen(owners.person)
    expect(all.length).toBeGreaterThanOrEqual(2)
    const ofOwner = all.find(({ account: email }: { account: string }) => email === account.email)
    expect((await guests.person.delete(`/v1/connections/${ofOwner.id}`, { query })).status).toBe(404)
    expect((await owners.person.delete(`/v1/connections/${own[0].id}`, { query })).status).toBe(204)
    expect(await statusOf(guests.access, 'list_memories')).toBe(401)
    expect(await statusOf(owners.access, 'list_memories', {}, query)).toBe(200)
    expect(await guests.refresh(guests.tokens.refresh_token)).toMatchObject(GRANT)
  })

  test('is let in by people alone: keys and access tokens let in nobody', async () => {
    const { challenge } = pkce()
    const request = requestOf(await register(running.anonymous), challenge)
    const body = { request, permissions: ['memory.read'] }
    const { access, person } = await connected(running.anonymous, account)
    expect((await account.client.post('/v1/connections', body)).status).toBe(403)
    expect((await account.client.get('/v1/connections')).status).toBe(403)
    expect((await access.post('/v1/connections', body)).status).toBe(401)
    const forged = await person.post('/v1/connections', body, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(forged.status).toBe(403)
    const more = await person.post('/v1/connections', {
      request: { ...request, scope: 'memory.read' },
      permissions: ['memory.write'],
    })
    expect(more.status).toBe(403)
    const unheard = await person.post('/v1/connections', { request, permissions: ['workspace.delete'] })
    expect(unheard.status).toBe(403)
  })
})

describe('a refresh token', () => {
  test('is good once; the one before it ends all where it comes late', async () => {
    const { tokens, refresh, access, clientId } = await connected(running.anonymous, account)
    const second = await refresh(tokens.refresh_token)
    expect(second.status).toBe(200)
    expect(second.body.refresh_token).not.toBe(tokens.refresh_token)
    const again = await refresh(tokens.refresh_token)
    expect([again.status, again.body.refresh_token]).toEqual([200, second.body.refresh_token])
    const third = await refresh(second.body.refresh_token)
    expect(third.status).toBe(200)
    const thief = await form(running.anonymous, TOKEN, {
      grant_type: 'refresh_token',
      refresh_token: third.body.refresh_token,
      client_id: await register(running.anonymous, { client_name: 'Thief' }),
    })
    expect(thief).toMatchObject(GRANT)
    expect(await refresh(tokens.refresh_token)).toMatchObject(GRANT)
    expect(await refresh(third.body.refresh_token)).toMatchObject(GRANT)
    expect(await statusOf(access, 'list_memories')).toBe(401)
    expect(clientId).toStartWith('mn_client_')
  })

  test('is revoked by its application, with all that it gave', async () => {
    const { tokens, refresh, access, clientId } = await connected(running.anonymous, account)
    const revoke = (token: string, id = clientId) =>
      form(running.anonymous, '/v1/oauth/revoke', { token, client_id: id })
    expect((await revoke('mn_refresh_nothing')).status).toBe(200)
    const other = await register(running.anonymous, { client_name: 'Thief' })
    expect((await revoke(tokens.refresh_token, other)).status).toBe(200)
    expect(await statusOf(access, 'list_memories')).toBe(200)
    expect((await revoke(tokens.access_token)).status).toBe(200)
    expect(await statusOf(access, 'list_memories')).toBe(401)
    expect(await refresh(tokens.refresh_token)).toMatchObject(GRANT)
  })
})

describe('an answer', () => {
  test('goes nowhere that the application did not register', async () => {
    const { challenge } = pkce()
    const clientId = await register(running.anonymous, { redirect_uris: [CALLBACK, 'http://127.0.0.1:1234/back'] })
    const person = await account.signIn()
    const asked = (redirect_uri: string) =>
      person.get('/v1/connections/request', { query: requestOf(clientId, challenge, { redirect_uri }) })
    for (const uri of [
      'https://evil.example.com/callback',
      'https://app.example.com/callback/../other',
      'https://app.example.com/callback?next=https://evil.example.com',
      'https://app.example.com@evil.example.com/callback',
      'https://app.example.com/callback#x',
      'http://127.0.0.1:1234/elsewhere',
      'http://127.0.0.1.evil.example.com:1234/back',
      'http://localhost:1234/back',
      'javascript:alert(1)',
      'not an address',
    ]) {
      const { status, body } = await asked(uri)
      expect([uri, status, body.error_code]).toEqual([uri, 400, 'APPLICATION_UNKNOWN'])
      const body2 = { request: requestOf(clientId, challenge, { redirect_uri: uri }), permissions: ['memory.read'] }
      expect((await person.post('/v1/connections', body2)).body.error_code).toBe('APPLICATION_UNKNOWN')
    }
    expect((await asked('http://127.0.0.1:50000/back')).status).toBe(200)
    const forged = clientId.replace(/\.[\w-]+$/, '.AAAA')
    expect((await person.get('/v1/connections/request', { query: requestOf(forged, challenge) })).status).toBe(400)
  })

  test('is a refusal that a person carries back where the request is not one to be granted', async () => {
    const clientId = await register(running.anonymous)
    const { challenge } = pkce()
    const person = await account.signIn()
    const refusals = [
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ code_challenge: undefined }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ resource: 'https://other.example.com/v1/mcp' }, 'invalid_target'],
      [{ resource: 'http://localhost/v1/memories' }, 'invalid_target'],
      [{ scope: 'openid' }, 'invalid_scope'],
    ] as const
    for (const [more, error] of refusals) {
      const request = Object.fromEntries(
        Object.entries({ ...requestOf(clientId, challenge), ...more }).filter(([, value]) => value !== undefined),
      )
      const { body } = await person.get('/v1/connections/request', { query: request as Record<string, string> })
      const url = new URL(body.deny_url)
      expect([error, url.searchParams.get('error'), url.searchParams.get('state')]).toEqual([error, error, 'tea'])
      expect(body.refusal).toBeTruthy()
      expect((await person.post('/v1/connections', { request, permissions: ['memory.read'] })).status).toBe(400)
    }
    const withQuery = requestOf(clientId, challenge, { resource: 'http://localhost/v1/mcp?user_id=ada' })
    expect((await person.get('/v1/connections/request', { query: withQuery })).body.refusal).toBeNull()
  })
})

describe('a registration', () => {
  test.each([
    [{ redirect_uris: ['javascript:alert(1)'] }],
    [{ redirect_uris: ['data:text/html,x'] }],
    [{ redirect_uris: ['file:///etc/passwd'] }],
    [{ redirect_uris: ['http://app.example.com/callback'] }],
    [{ redirect_uris: ['https://a:b@app.example.com/'] }],
    [{ redirect_uris: ['https://app.example.com/#x'] }],
    [{ redirect_uris: [] }],
    [{ redirect_uris: Array.from({ length: 11 }, (_, n) => `https://app.example.com/${n}`) }],
    [{ redirect_uris: [`https://app.example.com/${'x'.repeat(2000)}`] }],
    [{ redirect_uris: 'https://app.example.com/' }],
    [{ client_name: 7 }],
    [{ client_name: 'x'.repeat(101) }],
  ])('%j is refused', async metadata => {
    const { status, body } = await running.anonymous.post('/v1/oauth/register', {
      redirect_uris: [CALLBACK],
      ...metadata,
    })
    expect([status, String(body.error).slice(0, 8)]).toEqual([400, 'invalid_'])
  })

  test('is of some kilobytes, and JSON', async () => {
    const long = await running.anonymous.post('/v1/oauth/register', {
      redirect_uris: [CALLBACK],
      notes: 'x'.repeat(20_000),
    })
    expect([long.status, long.body.error]).toEqual([413, 'invalid_request'])
    const { body } = await running.anonymous.request('POST', '/v1/oauth/register', { raw: '[' })
    expect(body.error).toBe('invalid_client_metadata')
  })

  test('takes what a client asks for beyond what there is, and the links of editors', async () => {
    const { status, body } = await running.anonymous.post('/v1/oauth/register', {
      client_name: 'Cursor',
      redirect_uris: ['cursor://anysphere.cursor-retrieval/oauth/callback', 'com.example.app:/back'],
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code'],
      scope: 'openid memory.read',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ token_endpoint_auth_method: 'none', client_name: 'Cursor' })
    expect(body.client_secret).toBeUndefined()
  })
})
