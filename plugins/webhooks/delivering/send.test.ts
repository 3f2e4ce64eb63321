import { describe, expect, spyOn, test } from 'bun:test'
import { OutgoingError, type OutgoingHttp, type OutgoingResponse, type Secrets } from 'mneme/plugin'
import { Registry } from 'prom-client'
import { createDeliveryMetrics } from './metrics.ts'
import { createSender } from './send.ts'

/** A response whose head is there, and whose body begins with `begin` and then fails. */
function failing(status: number, begin: string, error: unknown): OutgoingHttp {
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (begin === '') return controller.error(error)
        controller.enqueue(new TextEncoder().encode(begin))
        begin = ''
      },
    },
    { highWaterMark: 0 },
  )
  return {
    request: async () => ({ status, body }) as OutgoingResponse,
    refusalOf: async () => undefined,
  }
}

function send(outgoing: OutgoingHttp, signal?: AbortSignal) {
  const sender = createSender({
    outgoing,
    secrets: { open: () => 'whsec_c2VjcmV0' } as unknown as Secrets,
    metrics: createDeliveryMetrics(new Registry(), () => 0),
  })
  const webhook = {
    workspaceId: 'w',
    id: 'h',
    url: 'https://example.com/',
    secret: '',
    previousSecret: null,
    previousSecretUntil: null,
  }
  return sender.send({ deliveryId: 'd', body: '{}', webhook }, signal)
}

describe('a receiver that has answered', () => {
  for (const code of ['INVALID_RESPONSE', 'CONNECTION_FAILED', 'TOO_LARGE', 'STOPPING'] as const) {
    test(`with 2xx has taken the delivery, though its body ends with ${code}`, async () => {
      const result = await send(failing(202, 'part', new OutgoingError(code, 'It broke.')))
      expect(result).toMatchObject({ outcome: 'succeeded', responseCode: 202, responseBody: 'part', error: null })
    })

    test(`with another status has refused it, though its body ends with ${code}`, async () => {
      const result = await send(failing(503, '', new OutgoingError(code, 'It broke.')))
      expect(result).toMatchObject({
        outcome: 'refused',
        responseCode: 503,
        error: 'The receiver answered with 503.',
      })
    })
  }

  test('is too late where the response does not end in time', async () => {
    const result = await send(failing(200, 'part', new OutgoingError('TIMED_OUT', 'Too slow.')))
    expect(result).toMatchObject({ outcome: 'timed_out', responseCode: 200, responseBody: 'part', error: 'Too slow.' })
  })

  test('is not asked again where the service stops before the end of the response', async () => {
    const stopped = AbortSignal.abort(new Error('stopped'))
    const result = await send(failing(200, '', stopped.reason), stopped)
    expect(result).toMatchObject({ outcome: 'succeeded', responseCode: 200 })
  })
})

test('an attempt lasts from its turn on, and one without a turn not at all', async () => {
  const busy = new OutgoingError('BUSY', 'Too many requests are under way.')
  let now = 5000
  const clock = spyOn(performance, 'now').mockImplementation(() => now)
  const waiting: OutgoingHttp = {
    ...failing(200, '', busy),
    async request(_, options) {
      now += 9000
      options?.onTurn?.()
      now += 300
      throw busy
    },
  }
  try {
    expect((await send(waiting)).durationMs).toBe(300)
    expect(await send({ ...waiting, request: () => Promise.reject(busy) })).toMatchObject({
      outcome: 'busy',
      durationMs: 0,
    })
  } finally {
    clock.mockRestore()
  }
})
