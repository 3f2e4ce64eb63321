import { expect, test } from 'bun:test'
import { listen } from './bun.ts'
import { listenFailure } from './listen.ts'

test.each(['no.such.host.invalid', '999.1.1.1', '192.0.2.1'])(
  'the address %s is none of this machine, and that is said',
  async host => {
    const address = { host, port: 0 }
    const failing = listen({ ...address, fetch: async () => new Response() })
    const { message } = await failing.then(
      () => new Error('it listens'),
      error => listenFailure(error, address),
    )
    expect(message).toBe(
      `HOST (${host}) is no address of this machine. Set it to one, as 127.0.0.1, or 0.0.0.0 for all.`,
    )
  },
)
