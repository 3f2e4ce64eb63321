import assert from 'node:assert/strict'
import { until } from '../../../test/support/wait.ts'
import { createOutgoingClient, type OutgoingClient } from '../client.ts'
import { type Internet, PUBLIC, PUBLIC_TOO } from '../internet.test-support.ts'
import { type ClientCase, failsWith } from './case.test-support.ts'

const URL_OF_IT = 'http://public.test/'

/** A client of its own, which waits as long for a turn. */
async function withTurns(internet: Internet, turnMs: number, work: (client: OutgoingClient) => Promise<void>) {
  const client = createOutgoingClient({ allowPrivateNetworks: false, network: internet.network, turnMs })
  try {
    await work(client)
    assert.deepEqual(client.load(), { open: 0, waiting: 0 }, 'a connection was left open')
  } finally {
    client.close()
  }
}

export const turnCases: readonly ClientCase[] = [
  {
    name: 'is busy, and does not say that a host is slow, when a request has no turn',
    run: ({ internet }) =>
      withTurns(internet, 50, async client => {
        await internet.serve(PUBLIC, () => undefined)
        internet.names.set('public.test', [PUBLIC])
        const all = new AbortController()
        const held = Array.from({ length: 16 }, () => client.request(URL_OF_IT, { signal: all.signal }).catch(String))
        await failsWith('BUSY', client.request(URL_OF_IT, { timeoutMs: 20 }))
        all.abort(new Error('enough'))
        await Promise.all(held)
      }),
  },
  {
    name: 'lets the time of a request run from its turn on',
    async run({ client, internet }) {
      const held: (() => void)[] = []
      await internet.serve(PUBLIC, (_, response) => void held.push(() => response.end('late')))
      await internet.serve(PUBLIC_TOO, () => undefined)
      internet.names.set('public.test', [PUBLIC]).set('other.test', [PUBLIC_TOO])
      const slow = Array.from({ length: 16 }, async () => (await client.request(URL_OF_IT)).text())
      await until('the host holds 16 requests', async () => held.length === 16)
      const last = client.request(URL_OF_IT, { timeoutMs: 20 }).then(
        response => response.text().catch(String),
        (error: unknown) => String(error),
      )
      await failsWith('TIMED_OUT', client.request('http://other.test/', { timeoutMs: 60 }))
      assert.deepEqual(client.load(), { open: 16, waiting: 1 })
      for (const answer of held.splice(0)) answer()
      assert.deepEqual(await Promise.all(slow), Array(16).fill('late'))
      // Now it has had its turn, and its own time.
      assert.match(await last, /public\.test did not answer within 0\.02 s/)
    },
  },
  {
    name: 'keeps no connection from others while it waits for its look-up',
    async run({ client, internet }) {
      const urls = Array.from({ length: 20 }, (_, n) => `http://name-${n}.lost.test/`)
      for (const url of urls) internet.names.set(new URL(url).hostname, () => new Promise<never>(() => undefined))
      const all = new AbortController()
      const lost = urls.map(url => client.request(url, { signal: all.signal }).catch(String))
      await new Promise(resolve => setImmediate(resolve))
      assert.deepEqual(client.load(), { open: 4, waiting: 16 })
      all.abort(new Error('enough'))
      assert.deepEqual(new Set(await Promise.all(lost)), new Set(['Error: enough']))
    },
  },
  {
    name: 'is not held up by a domain whose names are never found, however many there are',
    run: ({ internet }) =>
      withTurns(internet, 200, async client => {
        await internet.serve(PUBLIC, (_, response) => response.end('here'))
        const silent = () => new Promise<never>(() => undefined)
        const urls = Array.from({ length: 40 }, (_, n) => `http://name-${n}.lost.test/`)
        for (const url of urls) internet.names.set(new URL(url).hostname, silent)
        internet.names.set('public.test', [PUBLIC])
        const lost = urls.map(url => client.request(url, { connectTimeoutMs: 50 }).catch(error => error.code))
        assert.equal(await (await client.request(URL_OF_IT, { timeoutMs: 5000 })).text(), 'here')
        const codes = await Promise.all(lost)
        assert.deepEqual(codes.filter(code => code === 'TIMED_OUT').length, 4)
        // It is the domain that does not answer, and not the process that is busy.
        assert.deepEqual(codes.filter(code => code === 'DNS_FAILED').length, 36)
        let hadTurn = false
        const next = client.request(urls[0] ?? '', { onTurn: () => (hadTurn = true) })
        await failsWith('DNS_FAILED', next)
        assert.equal(hadTurn, false)
      }),
  },
  {
    name: 'is not held up by a holder of many domains whose names are never found',
    run: ({ internet }) =>
      withTurns(internet, 200, async client => {
        await internet.serve(PUBLIC, (_, response) => response.end('here'))
        const urls = Array.from({ length: 40 }, (_, n) => `http://lost-${n}.test/`)
        for (const url of urls) internet.names.set(new URL(url).hostname, () => new Promise<never>(() => undefined))
        internet.names.set('public.test', [PUBLIC])
        const lost = urls.map(url =>
          client.request(url, { holder: 'a', connectTimeoutMs: 50 }).catch(error => error.code),
        )
        const options = { holder: 'b', timeoutMs: 5000 }
        assert.equal(await (await client.request(URL_OF_IT, options)).text(), 'here')
        const codes = await Promise.all(lost)
        // Each further one had to have less than half of what is free.
        assert.equal(codes.filter(code => code === 'TIMED_OUT').length, 11)
      }),
  },
]
