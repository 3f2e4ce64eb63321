import { describe, expect, test } from 'bun:test'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { until } from '../../test/support/wait.ts'
import { AppError } from '../errors.ts'
import { ARRIVAL_MS_MAX, type BodyLimit, IncomingBody } from './incoming-body.ts'
import { MB, sizeText } from './sizes.ts'
import { Transfers } from './transfers.ts'

const CHUNK = new Uint8Array(1024)
const limit = (maxBytes: number): BodyLimit => ({ maxBytes, tooLarge: 'PAYLOAD_TOO_LARGE' })

interface Sent {
  readonly body: IncomingBody
  readonly clock: ManualClock
  readonly transfers: Transfers
  /** Counts the bytes that were taken from the client. */
  pulled(): number
}

/** Makes a body whose length is not known beforehand; without `chunks` its client never sends another byte. */
function sent({
  chunks = Number.POSITIVE_INFINITY,
  chunk = CHUNK,
  headers = {},
  stallsAt = Number.POSITIVE_INFINITY,
}): Sent {
  let count = 0
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (count === stallsAt) return new Promise(() => undefined)
        if (count === chunks) return controller.close()
        count++
        controller.enqueue(chunk)
      },
    },
    { highWaterMark: 0 },
  )
  const [clock, transfers] = [new ManualClock(), new Transfers()]
  const request = new Request('http://localhost/', { method: 'POST', body: stream, headers })
  return { body: new IncomingBody(request, { clock, transfers }), clock, transfers, pulled: () => count * chunk.length }
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
  return 'none'
}

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0
  for await (const chunk of chunks) size += chunk.length
  return size
}

/** Lets promises settle that wait for nothing else. */
const settled = () => new Promise(resolve => setImmediate(resolve))

for (const [how, read] of [
  ['whole', (body: IncomingBody, max: number) => body.whole(limit(max)).then(bytes => bytes.length)],
  ['as it arrives', (body: IncomingBody, max: number) => readAll(body.chunks(limit(max)))],
] as const) {
  describe(`a body of unknown length, read ${how}`, () => {
    test('comes through when it fits', async () => {
      expect(await read(sent({ chunks: 3 }).body, 3 * 1024)).toBe(3 * 1024)
      expect(await read(sent({ chunks: 0 }).body, 10)).toBe(0)
    })

    test('is refused as soon as it is larger, also than it claims to be', async () => {
      const lying = sent({ headers: { 'content-length': '5', 'transfer-encoding': 'chunked' } })
      expect(await codeOf(read(lying.body, 10 * 1024))).toBe('PAYLOAD_TOO_LARGE')
      expect(lying.pulled()).toBe(11 * 1024)
    })

    test('is refused before a byte is read when it claims to be larger', async () => {
      const honest = sent({ headers: { 'content-length': '20000' } })
      expect(await codeOf(read(honest.body, 10 * 1024))).toBe('PAYLOAD_TOO_LARGE')
      expect(honest.pulled()).toBe(0)
    })

    test('is given up after 30 seconds without its end', async () => {
      const stalled = sent({ stallsAt: 2 })
      const reading = codeOf(read(stalled.body, MB))
      await settled()
      stalled.clock.advance(ARRIVAL_MS_MAX - 1)
      expect(await Promise.race([reading, settled().then(() => 'still reading')])).toBe('still reading')
      stalled.clock.advance(1)
      expect(await reading).toBe('REQUEST_TIMEOUT')
    })

    test('ends with the service', async () => {
      const stalled = sent({ stallsAt: 1 })
      const reading = codeOf(read(stalled.body, MB))
      await settled()
      stalled.transfers.cutAll()
      expect(await reading).toBe('SERVICE_UNAVAILABLE')
    })

    test('that breaks off is a fault of the client', async () => {
      const broken = new ReadableStream({ pull: controller => controller.error(new Error('gone')) })
      const request = new Request('http://localhost/', { method: 'POST', body: broken })
      const body = new IncomingBody(request, { clock: new ManualClock(), transfers: new Transfers() })
      expect(await codeOf(read(body, 10))).toBe('VALIDATION_ERROR')
    })
  })
}

describe('a streamed body', () => {
  test('may take long, as long as bytes come within every 30 seconds', async () => {
    const { body, clock } = sent({ chunks: 20 })
    let size = 0
    for await (const chunk of body.chunks(limit(MB))) {
      size += chunk.length
      clock.advance(ARRIVAL_MS_MAX - 1)
    }
    expect(size).toBe(20 * 1024)
  })

  test('has its time from when it is first read on, not while its reader waits for its turn', async () => {
    const { body, clock } = sent({ chunks: 3 })
    const chunks = body.chunks(limit(MB), ARRIVAL_MS_MAX)
    clock.advance(ARRIVAL_MS_MAX + 1)
    expect(await readAll(chunks)).toBe(3 * 1024)
  })

  test('takes six hours at the most', async () => {
    const { body, clock } = sent({})
    const dripping = async () => {
      for await (const _ of body.chunks(limit(1024 * MB))) clock.advance(ARRIVAL_MS_MAX - 1)
    }
    expect(await codeOf(dripping())).toBe('REQUEST_TIMEOUT')
    expect(clock.now()).toBeGreaterThanOrEqual(6 * 3_600_000)
  })

  test('of a form that has to be there whole takes 30 seconds and the time that its bytes need at 8 KB a second', async () => {
    const { body, clock } = sent({ headers: { 'content-length': '800000' } })
    const dripping = async () => {
      for await (const _ of body.form(limit(MB))) clock.advance(20_000)
    }
    expect(await codeOf(dripping())).toBe('REQUEST_TIMEOUT')
    expect([clock.now() >= 130_000, clock.now() <= 150_000]).toEqual([true, true])
  })

  test('leaves no timer behind', async () => {
    const { body, clock, transfers } = sent({ chunks: 5 })
    await readAll(body.chunks(limit(MB)))
    expect([clock.waiting, transfers.count]).toEqual([0, 0])
  })
})

describe('bodies that are held whole', () => {
  test('share a bound in memory by who holds them, and give it back', async () => {
    const first = sent({ chunks: 4 })
    const { transfers, clock } = first
    const { memory } = transfers
    first.body.holder = () => 'workspace'
    expect(await first.body.whole(limit(MB))).toHaveLength(4096)
    expect(memory.used).toBe(4096)
    // The flood has its share, of which nothing is left to it.
    let share = 0
    while (memory.reserve('flood', 1024)) share += 1024
    const next = (holder: string) => {
      const request = new Request('http://localhost/', { method: 'POST', body: new Uint8Array(4096) })
      return new IncomingBody(request, { clock, transfers }, () => holder).whole(limit(MB))
    }
    expect(await codeOf(next('flood'))).toBe('SERVICE_UNAVAILABLE')
    expect([await codeOf(next('victim')), memory.refused]).toEqual(['none', 2])
    await first.body.discard()
    expect(memory.used).toBe(share + 4096)
  })
})

describe('what is left of a body', () => {
  test('is read away', async () => {
    const { body, pulled } = sent({ chunks: 50 })
    expect([await body.discard(), pulled()]).toEqual([true, 50 * 1024])
  })

  test('is read away up to 16 MB, however much there is', async () => {
    const { body, pulled } = sent({ chunk: new Uint8Array(MB), chunks: 1000 })
    expect([await body.discard(), pulled()]).toEqual([false, 16 * MB])
  })

  test('is read away after a refusal', async () => {
    const { body, pulled } = sent({ chunks: 100 })
    expect(await codeOf(body.whole(limit(10 * 1024)))).toBe('PAYLOAD_TOO_LARGE')
    expect([await body.discard(), pulled()]).toEqual([true, 100 * 1024])
  })

  test('is given up when its client pauses, and the connection with it, however little is left', async () => {
    const discarded = async (headers: Record<string, string>) => {
      const { body, clock, pulled } = sent({ stallsAt: 1, headers })
      const discarding = body.discard()
      await settled()
      clock.advance(500)
      return [await discarding, pulled()]
    }
    expect(await discarded({})).toEqual([false, 1024])
    expect(await discarded({ 'content-length': '5000000000' })).toEqual([false, 1024])
    expect(await discarded({ 'content-length': '5000' })).toEqual([false, 1024])
  })

  test('is given up after three seconds, however steadily it comes', async () => {
    const clock = new ManualClock()
    const stream = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await settled()
        clock.advance(100)
        controller.enqueue(CHUNK)
      },
    })
    const request = new Request('http://localhost/', { method: 'POST', body: stream })
    const discarding = new IncomingBody(request, { clock, transfers: new Transfers() }).discard()
    expect(await discarding).toBe(false)
    expect(clock.now()).toBeLessThan(4000)
  })

  test('goes on being read once the response is out, up to 16 MB', async () => {
    let next: (() => void) | undefined
    let pulled = 0
    const stream = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (pulled === 1)
            await new Promise<void>(resolve => {
              next = resolve
            })
          pulled++
          controller.enqueue(new Uint8Array(MB))
        },
      },
      { highWaterMark: 0 },
    )
    const clock = new ManualClock()
    const body = new IncomingBody(new Request('http://localhost/', { method: 'POST', body: stream }), {
      clock,
      transfers: new Transfers(),
    })
    const discarding = body.discard()
    await settled()
    clock.advance(500)
    expect([await discarding, pulled]).toEqual([false, 1])
    next?.()
    await until('the rest is read', async () => pulled === 16)
    await settled()
    expect(pulled).toBe(16)
  })

  test('is nothing when it was read, or when there never was one', async () => {
    const { body } = sent({ chunks: 1 })
    await body.whole(limit(MB))
    expect(await body.discard()).toBe(true)
    const world = { clock: new ManualClock(), transfers: new Transfers() }
    expect(await new IncomingBody(new Request('http://localhost/'), world).discard()).toBe(true)
  })

  test('that breaks off is no failure', async () => {
    const broken = new ReadableStream({ pull: controller => controller.error(new Error('gone')) })
    const request = new Request('http://localhost/', { method: 'POST', body: broken })
    const body = new IncomingBody(request, { clock: new ManualClock(), transfers: new Transfers() })
    expect(await body.discard()).toBe(false)
  })
})

test('sizes are told in the largest unit that fits', () => {
  expect([5, 16 * 1024, 1.5 * MB, 2048 * MB].map(sizeText)).toEqual(['5 bytes', '16 KB', '1.5 MB', '2 GB'])
})

test('what is left of a refused body is not waited for where its holder pauses in too many, and theirs alone', async () => {
  const [clock, transfers] = [new ManualClock(), new Transfers()]
  const paused = (holder: string) => {
    const stream = new ReadableStream<Uint8Array>({
      pull: () => new Promise(() => undefined),
    })
    const init = { method: 'POST', body: stream, headers: { 'content-length': '1000000' } }
    return new IncomingBody(new Request('http://localhost/', init), { clock, transfers }, () => holder)
  }
  const flood = Array.from({ length: 100 }, () => paused('flood').discard())
  const atOnce = await Promise.all(flood.map(one => Promise.race([one, settled().then(() => 'waits')])))
  const waiting = atOnce.filter(outcome => outcome === 'waits').length
  expect([waiting > 0, waiting < 12, atOnce.filter(outcome => outcome === false).length]).toEqual([
    true,
    true,
    100 - waiting,
  ])
  const victim = paused('victim').discard()
  expect(await Promise.race([victim, settled().then(() => 'waits')])).toBe('waits')
  clock.advance(500)
  expect([await victim, (await Promise.all(flood)).includes(true)]).toEqual([false, false])
  clock.advance(ARRIVAL_MS_MAX)
  await until('nothing is held any more', async () => transfers.dropped.used === 0)
})

test('refused bodies are read away at a rate, all together', async () => {
  const [clock, transfers] = [new ManualClock(), new Transfers()]
  let sent = 0
  const flood = Array.from({ length: 8 }, (_, n) => {
    const left = Array.from({ length: 8 }, () => new Uint8Array(MB))
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const chunk = left.pop()
          sent += chunk?.length ?? 0
          if (chunk) controller.enqueue(chunk)
          else controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const init = { method: 'POST', body: stream, headers: { 'content-length': String(8 * MB) } }
    return new IncomingBody(
      new Request('http://localhost/', init),
      { clock, transfers },
      () => `address ${n}`,
    ).discard()
  })
  await until('a burst is read, and one piece more of each', async () => sent === 24 * MB)
  await settled()
  expect([sent, clock.waiting]).toEqual([24 * MB, flood.length])
  clock.advance(1000)
  await until('as much again is read', async () => sent === 48 * MB)
  await settled()
  clock.advance(1000)
  expect(await Promise.all(flood)).toEqual(flood.map(() => true))
  expect(sent).toBe(64 * MB)
})
