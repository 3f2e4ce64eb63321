import assert from 'node:assert/strict'
import type { TLSSocket } from 'node:tls'
import { createOutgoingClient } from '../client.ts'
import { PUBLIC, PUBLIC_TOO } from '../internet.test-support.ts'
import { type ClientCase, failsWith } from './case.test-support.ts'

export const tlsCases: readonly ClientCase[] = [
  {
    name: 'asks for the name in the URL, at the address that was checked',
    async run({ client, internet }) {
      await internet.serve(
        PUBLIC,
        (request, response) => response.end(`${(request.socket as TLSSocket).servername} ${request.headers.host}`),
        { certificate: 'server' },
      )
      internet.names.set('secure.test', [PUBLIC])
      assert.equal(await (await client.request('https://secure.test/')).text(), 'secure.test secure.test')
      assert.deepEqual(internet.reached, [PUBLIC])
    },
  },
  {
    name: 'takes a certificate for an address where the URL has one',
    async run({ client, internet }) {
      await internet.serve(PUBLIC, (_, response) => response.end('literal'), { certificate: 'server' })
      assert.equal(await (await client.request(`https://${PUBLIC}/`)).text(), 'literal')
      await internet.serve(PUBLIC_TOO, (_, response) => response.end('literal'), { certificate: 'server' })
      await assert.rejects(client.request(`https://${PUBLIC_TOO}/`), { code: 'TLS_FAILED' })
    },
  },
  {
    name: 'refuses a certificate for another name, one that has expired, and one of no authority',
    async run({ client, internet }) {
      await internet.serve(PUBLIC, (_, response) => response.end(), { certificate: 'server' })
      await internet.serve(PUBLIC_TOO, (_, response) => response.end(), { certificate: 'expired' })
      internet.names.set('other.test', [PUBLIC]).set('secure.test', [PUBLIC_TOO])
      const other = await failsWith('TLS_FAILED', client.request('https://other.test/'))
      assert.equal(other.message, 'The certificate of other.test is for another name.')
      const expired = await failsWith('TLS_FAILED', client.request('https://secure.test/'))
      // Deno 2.9 says of an expired certificate that nobody vouches for it.
      assert.match(expired.message, /^The certificate of secure\.test (has expired|is not one that can be trusted)\.$/)
      internet.names.set('secure.test', [PUBLIC])
      const network = { ...internet.network, authorities: undefined }
      const strict = createOutgoingClient({ allowPrivateNetworks: false, network })
      const unknown = await failsWith('TLS_FAILED', strict.request('https://secure.test/'))
      assert.equal(unknown.message, 'The certificate of secure.test is not one that can be trusted.')
    },
  },
  {
    name: 'checks certificates whatever the environment says',
    async run({ client, internet }) {
      await internet.serve(PUBLIC, (_, response) => response.end(), { certificate: 'server' })
      internet.names.set('other.test', [PUBLIC])
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
      try {
        await failsWith('TLS_FAILED', client.request('https://other.test/'))
      } finally {
        delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      }
    },
  },
  {
    name: 'says that there is no TLS where none is',
    async run({ client, internet }) {
      await internet.serve(PUBLIC, (_, response) => response.end(), { port: 443 })
      internet.names.set('secure.test', [PUBLIC])
      await failsWith('TLS_FAILED', client.request('https://secure.test/'))
    },
  },
]
