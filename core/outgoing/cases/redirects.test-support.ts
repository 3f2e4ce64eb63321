import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import type { OutgoingClient } from '../client.ts'
import { echo, type Internet, PUBLIC, PUBLIC_TOO } from '../internet.test-support.ts'
import type { OutgoingMethod, OutgoingOptions } from '../outgoing-http.ts'
import { type ClientCase, failsWith } from './case.test-support.ts'

const HEADERS = {
  authorization: 'Bearer t',
  cookie: 'a=b',
  'x-api-key': 'k',
  accept: 'text/html',
  'content-type': 'text/plain',
}

/** Redirects from one.test to `location`, and returns what the server there saw of the request. */
async function redirectedTo(
  { client, internet }: { client: OutgoingClient; internet: Internet },
  status: number,
  location: string,
  options: OutgoingOptions,
) {
  await internet.serve(PUBLIC, (request, response) => {
    if (request.url === '/there') return echo(request, response)
    response.writeHead(status, { location }).end('moved')
  })
  await internet.serve(PUBLIC_TOO, echo)
  internet.names.set('one.test', [PUBLIC]).set('two.test', [PUBLIC_TOO])
  const response = await client.request('http://one.test/here', { redirectsMax: 1, ...options })
  return { url: response.url, seen: await response.text() }
}

function methodCase(status: number, method: OutgoingMethod, then: OutgoingMethod): ClientCase {
  return {
    name: `turns ${method} into ${then} after ${status}`,
    async run(world) {
      const body = method === 'GET' || method === 'HEAD' ? {} : { body: 'kept?' }
      const { seen } = await redirectedTo(world, status, '/there', { method, headers: HEADERS, ...body })
      if (then === 'HEAD') return assert.equal(seen, '')
      const request = JSON.parse(seen)
      assert.equal(request.method, then)
      assert.equal(request.body, then === 'GET' ? '' : 'kept?')
      assert.equal(request.headers['content-type'], then === 'GET' && method !== 'GET' ? undefined : 'text/plain')
    },
  }
}

export const redirectCases: readonly ClientCase[] = [
  {
    name: 'hands out the redirect itself unless it is to follow',
    async run({ client, internet }) {
      await internet.serve(PUBLIC, (_, response) => response.writeHead(302, { location: '/there' }).end('moved'))
      const response = await client.request(`http://${PUBLIC}/`)
      assert.deepEqual([response.status, response.headers.get('location')], [302, '/there'])
      assert.equal(await response.text(), 'moved')
    },
  },
  ...['тест', '東京', 'café'].map(
    (path): ClientCase => ({
      name: `follows an address that is written in UTF-8, to ${path}`,
      async run({ client, internet }) {
        const location = Buffer.from(`/${path}`, 'utf8').toString('latin1')
        await internet.serve(PUBLIC, (request, response) => {
          if (request.url === '/') response.writeHead(302, { location }).end()
          else response.end(decodeURIComponent(request.url ?? ''))
        })
        internet.names.set('one.test', [PUBLIC])
        const arrived = await client.request('http://one.test/', { redirectsMax: 1 })
        assert.equal(await arrived.text(), `/${path}`)
      },
    }),
  ),
  {
    name: 'follows as many as it may and no more',
    async run({ client, internet }) {
      await internet.serve(PUBLIC, (request, response) => {
        const left = Number(request.url?.slice(1))
        if (left === 0) response.end('arrived')
        else response.writeHead(302, { location: `/${left - 1}` }).end()
      })
      internet.names.set('one.test', [PUBLIC])
      const arrived = await client.request('http://one.test/3', { redirectsMax: 3 })
      assert.equal(await arrived.text(), 'arrived')
      const further = client.request('http://one.test/4', { redirectsMax: 3 })
      const error = await failsWith('TOO_MANY_REDIRECTS', further)
      assert.equal(error.message, 'one.test redirects further than 3 times.')
    },
  },
  methodCase(301, 'GET', 'GET'),
  methodCase(301, 'POST', 'GET'),
  methodCase(302, 'POST', 'GET'),
  methodCase(302, 'PUT', 'PUT'),
  methodCase(303, 'PUT', 'GET'),
  methodCase(303, 'HEAD', 'HEAD'),
  methodCase(307, 'POST', 'POST'),
  methodCase(308, 'DELETE', 'DELETE'),
  {
    name: 'keeps all headers on the same origin',
    async run(world) {
      const { seen, url } = await redirectedTo(world, 302, '/there', { headers: HEADERS })
      assert.equal(url, 'http://one.test/there')
      const { headers } = JSON.parse(seen)
      assert.deepEqual([headers.authorization, headers.cookie, headers['x-api-key']], ['Bearer t', 'a=b', 'k'])
    },
  },
  ...['http://two.test/there', '//two.test/there', 'http://one.test:8080/there'].map(
    (location): ClientCase => ({
      name: `takes nothing that could be a credential along to ${location}`,
      async run(world) {
        await world.internet.serve(PUBLIC, echo, { port: 8080 })
        const { seen } = await redirectedTo(world, 307, location, { method: 'POST', headers: HEADERS, body: 'b' })
        const { headers } = JSON.parse(seen)
        assert.deepEqual(
          [headers.authorization, headers.cookie, headers['x-api-key']],
          [undefined, undefined, undefined],
        )
        assert.deepEqual([headers.accept, headers['content-type']], ['text/html', 'text/plain'])
      },
    }),
  ),
  {
    name: 'goes from http to https and back, each checked and each without credentials',
    async run({ client, internet }) {
      await internet.serve(PUBLIC, (request, response) => {
        if (request.url === '/end') return echo(request, response)
        response.writeHead(302, { location: 'https://secure.test/' }).end()
      })
      await internet.serve(
        PUBLIC,
        (_, response) => response.writeHead(302, { location: 'http://secure.test/end' }).end(),
        {
          certificate: 'server',
        },
      )
      internet.names.set('secure.test', [PUBLIC])
      const response = await client.request('http://secure.test/', { redirectsMax: 2, headers: HEADERS })
      assert.equal(JSON.parse(await response.text()).headers.authorization, undefined)
      assert.equal(response.url, 'http://secure.test/end')
    },
  },
  {
    name: 'says of a redirect to nowhere that it is no valid one, and takes one without a location as it is',
    async run({ client, internet }) {
      await internet.serve(PUBLIC, (request, response) =>
        response.writeHead(302, request.url === '/bare' ? {} : { location: 'http://[' }).end('moved'),
      )
      internet.names.set('one.test', [PUBLIC])
      await failsWith('INVALID_RESPONSE', client.request('http://one.test/', { redirectsMax: 1 }))
      const bare = await client.request('http://one.test/bare', { redirectsMax: 1 })
      assert.deepEqual([bare.status, await bare.text()], [302, 'moved'])
    },
  },
]
