import { connect, type Socket } from 'node:net'

/** An attacker has this: the service's address, and a valid key of a workspace of its own. */
export interface Target {
  readonly base: string
  readonly key: string
}

/** One blow; it is dealt again and again until the time is over. Refusals are what the service should answer with. */
export type Attack = (target: Target, n: number) => Promise<void>

const MB = 1024 ** 2

async function send(base: string, path: string, body: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    signal: AbortSignal.timeout(60_000),
  })
  await response.arrayBuffer()
  return response.status
}

const withKey = ({ key }: Target, more: Record<string, string> = {}) => ({ 'x-api-key': key, ...more })

/** A word that no text had before. */
function word(): string {
  return Math.random().toString(36).slice(2, 10)
}

const words = (count: number) => Array.from({ length: count }, word).join(' ')

const together = (count: number, blow: (index: number) => Promise<unknown>) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => blow(index))).then(() => undefined)

const batch = (memories: number, wordsEach: number) =>
  JSON.stringify({ memories: Array.from({ length: memories }, () => ({ memory: words(wordsEach) })) })

export const ATTACKS: Readonly<Record<string, Attack>> = {
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
}

/** Bodies of which only the head and a few bytes come. */
export class SlowBodies {
  readonly #sockets: Socket[] = []
  #closed = 0

  /** Counts those that the service has closed. */
  get closed(): number {
    return this.#closed
  }

  /** @param key may be made up: then the request is refused, and its body is never read */
  async open({ base, key }: Target, count: number): Promise<void> {
    const { hostname, port } = new URL(base)
    const head = `POST /v1/memories HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n{"memory":"`
    await together(
      count,
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = connect(Number(port), hostname, () => {
            socket.write(head + 'x'.repeat(4096))
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
