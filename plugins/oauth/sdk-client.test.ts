import { expect, test } from 'bun:test'
import {
  Client as McpClient,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import type { TestAccount } from '../../test/kit/accounts.ts'
import { Client } from '../../test/kit/client.ts'
import { service, startService } from '../../test/support/service.ts'

const CALLBACK = 'http://localhost:8090/callback'

/** The official client's side of the flow, with a person who signs in and allows what the browser is shown. */
function browserOf(account: TestAccount, anonymous: Client, prefix: string) {
  let information: OAuthClientInformationMixed | undefined
  let tokens: OAuthTokens | undefined
  let verifier = ''
  const seen = { page: new URL('http://nowhere'), answer: new URL('http://nowhere') }
  const provider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    clientMetadata: { client_name: 'Inspector', redirect_uris: [CALLBACK] },
    clientInformation: () => information,
    saveClientInformation: given => {
      information = given
    },
    tokens: () => tokens,
    saveTokens: given => {
      tokens = given
    },
    codeVerifier: () => verifier,
    saveCodeVerifier: given => {
      verifier = given
    },
    async redirectToAuthorization(url) {
      seen.page = url
      const page = await anonymous.get(url.pathname, { headers: { accept: 'text/html' } })
      if (page.status !== 200) throw new Error(`no page at ${url.pathname}`)
      const request = Object.fromEntries(url.searchParams)
      const person = await anonymousAt(anonymous, prefix).signIn(account.email, account.password)
      const asked = await person.get(`${prefix}/v1/connections/request`, { query: request })
      const permissions = asked.body.permissions.map(({ permission }: { permission: string }) => permission)
      const { body } = await person.post(`${prefix}/v1/connections`, { request, permissions })
      seen.answer = new URL(body.redirect_url)
    },
  }
  return { provider, seen, tokens: () => tokens }
}

/** Signs in below a path. */
function anonymousAt(anonymous: Client, prefix: string) {
  return {
    async signIn(email: string, password: string) {
      const signedIn = await anonymous.post(`${prefix}/v1/auth/sign-in/email`, { email, password })
      return anonymous.with({
        cookie: signedIn.headers
          .getSetCookie()
          .map(one => one.split(';')[0])
          .join('; '),
      })
    },
  }
}

async function connect(anonymous: Client, account: TestAccount, prefix = '') {
  const url = new URL(`${prefix}/v1/mcp?user_id=ada`, anonymous.base)
  const browser = browserOf(account, anonymous, prefix)
  const fetch = (input: URL | string, init?: RequestInit) => anonymous.fetch(new Request(input, init))
  const transport = () => new StreamableHTTPClientTransport(url, { authProvider: browser.provider, fetch })
  const first = transport()
  const refused = await new McpClient({ name: 'test', version: '1' }).connect(first).catch(error => error)
  expect(refused).toBeInstanceOf(UnauthorizedError)
  await first.finishAuth(browser.seen.answer.searchParams)
  const mcp = new McpClient({ name: 'test', version: '1' })
  await mcp.connect(transport())
  return { mcp, browser }
}

test('the official client comes in without a key: it finds the way, registers, has a person consent, and calls tools', async () => {
  const { anonymous, account } = await service()
  const { mcp, browser } = await connect(anonymous, await account())
  expect(browser.seen.page.searchParams.get('resource')).toBe('http://localhost/v1/mcp')
  await mcp.callTool({ name: 'add_memory', arguments: { memory: 'Ada keeps bees.' } })
  const { content } = await mcp.callTool({ name: 'list_memories', arguments: {} })
  expect(JSON.stringify(content)).toContain('Ada keeps bees.')
  await mcp.close()
})

test('it does so behind a proxy, below a path', async () => {
  const { anonymous, account } = await startService({ BASE_PATH: '/below', PUBLIC_URL: 'https://mneme.example.com' })
  // The proxy speaks HTTPS to the outside alone.
  const proxy = (request: Request) => anonymous.fetch(new Request(request.url.replace('https:', 'http:'), request))
  const { mcp, browser } = await connect(new Client(proxy, {}, 'https://mneme.example.com'), await account(), '/below')
  expect(browser.seen.page.href).toStartWith('https://mneme.example.com/below/connect/authorize?')
  expect(browser.seen.answer.searchParams.get('iss')).toBe('https://mneme.example.com/below')
  expect((await mcp.listTools()).tools.length).toBeGreaterThan(5)
  await mcp.close()
})
