import { beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { openPage, signIn } from '../support/browser.ts'
import { onEnd } from '../support/closing.ts'
import { emptyStore, type ServerProcess, startServer } from '../support/process.ts'

const VERIFIER = 'a verifier that is forty-three characters long'.replaceAll(' ', '-')

let server: ServerProcess
let application: string
beforeAll(async () => {
  server = await startServer(await emptyStore())
  const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>The app</h1>'))
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
  onEnd(async () => void site.close())
  application = `http://127.0.0.1:${Object(site.address()).port}`
})

/** Sends JSON, or a form. */
async function post(path: string, body: object | URLSearchParams, headers: Record<string, string> = {}) {
  const isForm = body instanceof URLSearchParams
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: isForm ? headers : { 'content-type': 'application/json', ...headers },
    body: isForm ? body : JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

test('an application sends the browser from its own site, is let in, used, and shut out in the console', async () => {
  const { page, faults } = await openPage(server.url)
  const redirect = `${application}/back`
  const registered = await post('/v1/oauth/register', { client_name: 'Notebook', redirect_uris: [redirect] })
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: registered.body.client_id,
    redirect_uri: redirect,
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'tea',
  })
  // Cookies of the console do not come along from another site, and are there all the same for the page.
  const begin = async () => {
    await page.goto(application)
    await page.evaluate(to => location.assign(to), `${server.url}/connect/authorize?${asked}`)
  }
  await begin()
  await signIn(page, server.email, server.password)
  await page.getByRole('heading', { level: 1, name: 'Connect Notebook' }).waitFor()
  expect(await page.getByText(new URL(application).host).count()).toBeGreaterThan(0)
  await page.getByLabel(/memory\.delete/).uncheck()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(/\/back\?code=/)
  const answer = new URL(page.url()).searchParams
  expect([answer.get('state'), answer.get('iss')]).toEqual(['tea', server.url])

  const token = await post(
    '/v1/oauth/token',
    new URLSearchParams({
      grant_type: 'authorization_code',
      code: answer.get('code') ?? '',
      client_id: registered.body.client_id,
      code_verifier: VERIFIER,
    }),
  )
  expect(token.body.scope).toContain('memory.write')
  expect(token.body.scope).not.toContain('memory.delete')
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const bearer = { authorization: `Bearer ${token.body.access_token}` }
  expect((await post('/v1/mcp', list, bearer)).status).toBe(200)

  await begin()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.waitForURL(/\/back\?error=access_denied/)

  await page.goto('/console/connections')
  await page
    .getByRole('row', { name: /Notebook/ })
    .getByRole('button', { name: 'Disconnect' })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('No connected apps').waitFor()
  expect((await post('/v1/mcp', list, bearer)).status).toBe(401)
  expect(faults).toEqual([])
})
