import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Attack, MB, send, type Target, together, withKey, word, words } from './blows.ts'

const batch = (memories: number, wordsEach: number) =>
  JSON.stringify({ memories: Array.from({ length: memories }, () => ({ memory: words(wordsEach) })) })

const DASHBOARDS = ['summary?days=365', 'charts/memories?days=365', 'quality?days=365', 'categories?days=365']

const read = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { headers }).then(response => response.arrayBuffer())

export const ATTACKS: Readonly<Record<string, Attack>> = {
  /** No attack at all, to tell what the victim itself leaves in memory. */
  nobody: () => pause(1000),

  /** Words that fill whatever remembers words. */
  words: target => send(target.base, '/v1/memories/batch', batch(100, 100), withKey(target)).then(() => undefined),

  /** Large bodies without a key, with a number that JSON cannot hold. */
  signin: ({ base }) =>
    together(4, () =>
      send(
        base,
        '/v1/auth/sign-in/email',
        `{"email":"a@b.c","n":9007199254740993,"password":"${'x'.repeat(16 * MB)}"}`,
      ),
    ),

  /** Dates far away, in memories' conversations and in questions. */
  dates: async target => {
    const message = { role: 'user', content: `I work at ${word()}.`, created_at: '0300-01-01T00:00:00Z' }
    await send(
      target.base,
      '/v1/memories/conversations',
      JSON.stringify({ messages: [message], user_id: 'x' }),
      withKey(target),
    )
    const { base } = target
    await fetch(`${base}/v1/graph/entities?as_of=9999-12-31T23:59:59Z`, { headers: withKey(target) }).then(r =>
      r.text(),
    )
  },

  /** A filter of as many conditions as a body takes. */
  filter: target => {
    const filter = Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`k${n}`, n]))
    const body = JSON.stringify({ query: 'x', filter })
    return together(5, () => send(target.base, '/v1/memories/search', body, withKey(target)))
  },

  /** The largest valid batch. */
  batch: target => send(target.base, '/v1/memories/batch', batch(500, 1500), withKey(target)).then(() => undefined),

  /** Searches that go deep, many at once. */
  searches: target =>
    together(32, index =>
      send(
        target.base,
        '/v1/memories/search',
        JSON.stringify({ query: `${words(20)} ${index}`, limit: 100, page: 10, expand: true }),
        withKey(target),
      ),
    ),

  /** The same through the tools of agents, whose calls are relayed to the operations. */
  tools: target =>
    together(32, index => {
      const call = { name: 'search_memories', arguments: { query: `${words(20)} ${index}`, limit: 100 } }
      const message = JSON.stringify({ jsonrpc: '2.0', id: index, method: 'tools/call', params: call })
      return send(target.base, '/v1/mcp', message, withKey(target, { accept: 'application/json, text/event-stream' }))
    }),

  /** The dashboard's figures of a year, as many at once as a key may ask for. */
  dashboards: target =>
    together(16, index =>
      fetch(`${target.base}/v1/dashboard/${DASHBOARDS[index % DASHBOARDS.length]}`, {
        headers: withKey(target),
        signal: AbortSignal.timeout(60_000),
      }).then(response => response.arrayBuffer()),
    ),

  /** The next request on each refusal, of a key that is over its limit: `--rate-limit 300`. */
  refusals: target =>
    together(16, async () => {
      for (let n = 0; n < 50; n++) await read(`${target.base}/v1/memories?page_size=1`, { 'x-api-key': target.freeKey })
    }),

  /** Questions that anyone may ask, as often as an answer comes. */
  probes: ({ base }) =>
    together(16, async () => {
      for (let n = 0; n < 40; n++) await read(base + (n % 2 === 0 ? '/ready' : '/metrics'))
    }),

  /** One change, repeated under its key while it is under way. */
  repeats: (target, n) => {
    const same = batch(100, 100 + n)
    return together(64, () =>
      send(target.base, '/v1/memories/batch', same, withKey(target, { 'idempotency-key': `same-${n}` })),
    )
  },

  /** Bodies as large as a route takes, whose faults are told once all of them is there. */
  large: target => {
    const memories = Array.from({ length: 150 }, () => ({ memory: 'x'.repeat(100_000), nonsense: 1 }))
    const body = JSON.stringify({ memories })
    return together(16, () => send(target.base, '/v1/memories/batch', body, withKey(target)))
  },

  /** Bodies of 15 MB to a route that refuses them unread. */
  refused: ({ base }) =>
    together(16, () => send(base, '/v1/memories', 'x'.repeat(15 * MB), { 'x-api-key': 'made-up' })),

  /** Reads that ask to be remembered. */
  idempotent: (target, n) =>
    together(8, index =>
      send(
        target.base,
        '/v1/memories/search',
        JSON.stringify({ query: 'the', limit: 100 }),
        withKey(target, { 'idempotency-key': `abuse-${n}-${index}-${word()}` }),
      ),
    ),

  /** Pages of 15 MB, which nobody reads. The texts are long and have little in them, so that it is not their processing that is measured. */
  'slow-readers': async (target, n) => {
    const memories = () =>
      Array.from({ length: 100 }, () => ({ memory: `${word()}${'\u3000'.repeat(49_000)}${word()}` }))
    if (n === 0)
      await send(target.base, '/v1/memories/batch', JSON.stringify({ memories: memories() }), withKey(target))
    await together(8, () => readNothing(target, '/v1/memories?page_size=100'))
    await pause(100)
  },
}

const UNREAD_MAX = 400
const unread: Socket[] = []

/** Asks for a response and takes none of it; the oldest of many goes. */
function readNothing({ base, key }: Target, path: string): Promise<void> {
  const { hostname, port } = new URL(base)
  return new Promise(resolve => {
    const socket = connect(Number(port), hostname, () => {
      socket.pause()
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`)
      resolve()
    })
    socket.on('error', () => resolve())
    unread.push(socket)
    if (unread.length > UNREAD_MAX) unread.shift()?.destroy()
  })
}

/** A request whose body is never sent to its end. */
export interface HalfSent {
  readonly path: string
  readonly contentType: string
  readonly start: string
}

export const HALF_SENT = {
  json: { path: '/v1/memories', contentType: 'application/json', start: `{"memory":"${'x'.repeat(4096)}` },
  /** Fields of a form are kept until its end. */
  form: {
    path: '/v1/memories/ingest',
    contentType: 'multipart/form-data; boundary=b',
    start: `--b\r\ncontent-disposition: form-data; name="user_id"\r\n\r\n${'x'.repeat(256 * 1024)}`,
  },
} as const satisfies Readonly<Record<string, HalfSent>>

/** Bodies of which only the head and a few bytes come. */
export class SlowBodies {
  readonly #sockets: Socket[] = []
  #closed = 0

  /** Counts those that the service has closed. */
  get closed(): number {
    return this.#closed
  }

  /** @param key may be made up: then the request is refused, and its body is never read */
  async open({ base, key }: Target, { path, contentType, start }: HalfSent, count: number): Promise<void> {
    const { hostname, port } = new URL(base)
    const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: ${contentType}\r\ncontent-length: 1000000\r\n\r\n`
    const sent = Buffer.from(head + start)
    await together(
      count,
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = connect(Number(port), hostname, () => {
            socket.write(sent)
            resolve()
          })
          socket.on('error', reject)
          socket.on('close', () => this.#closed++)
          // Answers are read, or the service could not close.
          socket.resume()
          this.#sockets.push(socket)
        }),
    )
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}
