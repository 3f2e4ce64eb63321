import { describe, expect, test } from 'bun:test'
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onEnd } from '../../test/support/closing.ts'
import { startService } from '../../test/support/service.ts'
import { oidcFaults } from './oidc-settings.ts'

interface Person {
  readonly sub: string
  readonly email: string
  readonly email_verified?: boolean
}

/** A provider on this machine, by which `person` signs in; it keeps to the standard as far as a client sees. */
async function provider() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const world: { person: Person; forges?: boolean; exchanges: URLSearchParams[] } = {
    person: { sub: 'nobody', email: 'nobody@example.com' },
    exchanges: [],
  }
  const nonces = new Map<string, { nonce: string | null; challenge: string | null }>()
  let issuer = ''
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const idToken = (nonce: string | null) => {
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: issuer, aud: 'mneme', iat: now, exp: now + 60, nonce, email_verified: true, ...world.person }
    const head = `${encoded({ alg: 'RS256', kid: 'one' })}.${encoded(claims)}`
    const by = world.forges ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey : privateKey
    return `${head}.${sign('RSA-SHA256', Buffer.from(head), by).toString('base64url')}`
  }
  const server = createServer((request, response) => {
    const json = (value: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
    const path = new URL(request.url ?? '', issuer).pathname
    if (path.endsWith('/openid-configuration'))
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        id_token_signing_alg_values_supported: ['RS256'],
      })
    if (path === '/keys')
      return json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] })
    let body = ''
    request.on('data', piece => {
      body += piece
    })
    request.on('end', () => {
      const form = new URLSearchParams(body)
      world.exchanges.push(form)
      const begun = nonces.get(form.get('code') ?? '')
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      if (!begun || begun.challenge !== proof) return response.writeHead(400).end('{"error":"invalid_grant"}')
      return json({ access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: idToken(begun.nonce) })
    })
    return undefined
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onEnd(async () => void server.close())
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  /** Makes what the browser brings back once the person has signed in there. */
  const signedIn = (url: string) => {
    const asked = new URL(url).searchParams
    const code = randomUUID()
    nonces.set(code, { nonce: asked.get('nonce'), challenge: asked.get('code_challenge') })
    return { asked, query: { code, state: asked.get('state') ?? '' } }
  }
  return { issuer, world, signedIn }
}

async function house(settings: Record<string, string> = {}) {
  const { issuer, world, signedIn } = await provider()
  const service = await startService({
    WORKERS: 'none',
    PUBLIC_URL: 'http://localhost',
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'mneme',
    OIDC_CLIENT_SECRET: 'between us',
    OIDC_DOMAINS: 'example.org, Friends.example',
    ...settings,
  })
  /** The whole way of a browser; resolves to where it ends, and to a client with its cookies. */
  const signIn = async (person: Person, change: (query: { code: string; state: string }) => void = () => undefined) => {
    world.person = person
    const begun = await service.anonymous.get('/v1/auth/sign-in/oidc')
    const [state = ''] = begun.headers.getSetCookie()
    const { asked, query } = signedIn(begun.headers.get('location') ?? '')
    change(query)
    const browser = service.anonymous.with({ cookie: state.split(';')[0] ?? '' })
    const back = await browser.get('/v1/auth/callback/oidc', { query: { ...query, session_state: 'x' } })
    const cookies = back.headers.getSetCookie().map(cookie => cookie.split(';')[0] ?? '')
    if (back.status !== 302) throw new Error(JSON.stringify(back.body))
    const end = new URL(back.headers.get('location') ?? '', 'http://localhost')
    return {
      begun,
      asked,
      state,
      back,
      error: end.searchParams.get('error'),
      place: end.pathname,
      client: service.anonymous.with({ cookie: cookies.join('; ') }),
    }
  }
  return { ...service, issuer, world, signIn }
}

const someone = (domain: string): Person => ({ sub: randomUUID(), email: `${randomUUID()}@${domain}` })

describe('sign-in by OpenID Connect', () => {
  test('sends the browser to the provider and back, and opens a session of the account with the address', async () => {
    const { account, signIn, issuer, world } = await house()
    const own = await account()
    const { begun, asked, state, back, place, client } = await signIn({ sub: '1', email: own.email })
    expect(begun.status).toBe(302)
    expect(begun.headers.get('location')).toStartWith(`${issuer}/authorize?`)
    expect(Object.fromEntries(asked)).toMatchObject({
      client_id: 'mneme',
      redirect_uri: 'http://localhost/v1/auth/callback/oidc',
      response_type: 'code',
      code_challenge_method: 'S256',
    })
    expect(asked.get('scope')?.split(' ').toSorted()).toEqual(['email', 'openid', 'profile'])
    // Another site sends the browser back, so this cookie alone comes along from there.
    expect(state).toMatch(/HttpOnly.*SameSite=Lax/i)
    expect([back.status, place]).toEqual([302, '/console/'])
    expect(back.headers.getSetCookie().join()).toMatch(/mneme\.session_token=.*SameSite=Strict/i)
    expect(world.exchanges.at(-1)?.get('client_secret') ?? 'basic').toMatch(/between us|basic/)
    expect((await client.get('/v1/auth/get-session')).body.user.email).toBe(own.email)
    expect((await client.get('/v1/workspaces')).body.data.map(({ id }: { id: string }) => id)).toEqual([
      own.workspaceId,
    ])
  })

  test('makes an account for a listed domain, which has no workspace until it is invited', async () => {
    const { account, signIn } = await house()
    const owner = await (await account()).signIn()
    const person = someone('friends.example')
    const { client } = await signIn(person)
    expect((await client.get('/v1/auth/get-session')).body.user.email).toBe(person.email)
    expect((await client.get('/v1/memories')).body).toMatchObject({ status_code: 401 })
    const { body } = await owner.post('/v1/members', { role: 'viewer' })
    const token = body.link.split('#invitation=')[1]
    expect((await client.post('/v1/members/accept', { token })).status).toBe(200)
    expect((await client.get('/v1/memories')).status).toBe(200)
    expect((await client.post('/v1/memories', { memory: 'No.' })).status).toBe(403)
    // The same person is the same account.
    expect((await (await signIn(person)).client.get('/v1/memories')).status).toBe(200)
  })

  test('makes none for other domains, unless the address is invited', async () => {
    const { account, signIn, database } = await house()
    const owner = await (await account()).signIn()
    const person = someone('elsewhere.example')
    const refused = await signIn(person)
    expect([refused.error, refused.place]).toEqual(['no_account', '/console/'])
    expect((await refused.client.get('/v1/auth/get-session')).body).toBe(null)
    const rows = await database.system(tx => tx`select from core.account where email = ${person.email}`)
    expect(rows).toHaveLength(0)
    await owner.post('/v1/members', { role: 'viewer', email: person.email })
    expect((await (await signIn(person)).client.get('/v1/auth/get-session')).body.user.email).toBe(person.email)
  })

  test('believes no address that the provider does not vouch for, and no token that it did not sign', async () => {
    const { account, signIn, world } = await house()
    const { email } = await account()
    const unverified = await signIn({ sub: '2', email, email_verified: false })
    expect(unverified.error).not.toBe(null)
    expect((await unverified.client.get('/v1/auth/get-session')).body).toBe(null)
    const stranger = await signIn({ ...someone('example.org'), email_verified: false })
    expect(stranger.error).toBe('no_account')
    world.forges = true
    const forged = await signIn({ sub: '3', email })
    expect(forged.error).not.toBe(null)
    expect((await forged.client.get('/v1/auth/get-session')).body).toBe(null)
  })

  test('takes no answer to a question that this browser did not ask', async () => {
    const { account, signIn } = await house()
    const { email } = await account()
    const other = await signIn({ sub: '4', email }, query => {
      query.state = 'made-up'
    })
    expect(other.error).not.toBe(null)
    expect((await other.client.get('/v1/auth/get-session')).body).toBe(null)
  })

  test('can be the only way in', async () => {
    const { account, anonymous } = await house({ PASSWORD_SIGN_IN: 'off' })
    const { email, password } = await account()
    expect((await anonymous.get('/v1/auth/methods')).body).toEqual({ password: false, oidc: true })
    const refused = await anonymous.post('/v1/auth/sign-in/email', { email, password })
    expect([refused.status, refused.body.error_code]).toEqual([403, 'FORBIDDEN'])
    const accepted = await anonymous.post('/v1/members/accept', { token: 'x', email, password })
    expect(accepted.status).toBe(403)
  })
})

test('without a provider there is nothing to sign in by but passwords', async () => {
  const { service } = await import('../../test/support/service.ts')
  const { anonymous } = await service()
  expect((await anonymous.get('/v1/auth/methods')).body).toEqual({ password: true, oidc: false })
  expect((await anonymous.get('/v1/auth/sign-in/oidc')).status).toBe(404)
  expect((await anonymous.get('/v1/auth/callback/oidc', { query: { code: 'x', state: 'y' } })).status).toBe(404)
})

test('half of the settings is refused at the start, with what is missing', () => {
  const names = (settings: object) => oidcFaults(settings as never).map(({ name }) => name)
  expect(names({})).toEqual([])
  expect(names({ OIDC_ISSUER: 'https://a.example' })).toEqual(['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'PUBLIC_URL'])
  expect(names({ PASSWORD_SIGN_IN: 'off' })[0]).toBe('OIDC_ISSUER')
})
