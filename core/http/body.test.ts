import { describe, expect, test } from 'bun:test'
import { AppError } from '../errors.ts'
import { discardBody, JSON_BODY_MAX, readBytes, readJson } from './body.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

function post(body: BodyInit | null, headers: Record<string, string> = JSON_TYPE): Request {
  return new Request('http://localhost/', { method: 'POST', body, headers })
}

/** A body of which the length is not known beforehand; `pulled` counts the bytes taken from it. */
function stream(chunk: Uint8Array, chunks: number): { body: ReadableStream<Uint8Array>; pulled(): number } {
  let sent = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent === chunks) controller.close()
        else {
          sent++
          controller.enqueue(chunk)
        }
      },
    },
    { highWaterMark: 0 },
  )
  return { body, pulled: () => sent * chunk.length }
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

describe('a JSON body', () => {
  test('is read, with its bytes for fingerprints', async () => {
    const { value, bytes } = await readJson(post('{"memory":"größer 😀"}'))
    expect(value).toEqual({ memory: 'größer 😀' })
    expect(new TextDecoder().decode(bytes)).toBe('{"memory":"größer 😀"}')
  })

  test('is taken by any spelling of its type and by no other', async () => {
    for (const type of ['application/json', 'Application/JSON; charset=utf-8', 'application/merge-patch+json'])
      expect((await readJson(post('{}', { 'content-type': type }))).value).toEqual({})
    for (const type of ['text/plain', 'application/jsonp', 'multipart/form-data; boundary=x', 'application/json-x', ''])
      expect(await codeOf(readJson(post('{}', { 'content-type': type })))).toBe('UNSUPPORTED_MEDIA_TYPE')
  })

  test('is taken as it is, never compressed', async () => {
    const encoded = (encoding: string) => readJson(post('{}', { ...JSON_TYPE, 'content-encoding': encoding }))
    for (const encoding of ['gzip', 'br', 'identity, gzip'])
      expect(await codeOf(encoded(encoding))).toBe('UNSUPPORTED_MEDIA_TYPE')
    expect((await encoded('Identity')).value).toEqual({})
  })

  test('is missed where there is none', async () => {
    expect(await codeOf(readJson(post(null, {})))).toBe('VALIDATION_ERROR')
    expect(await codeOf(readJson(post('', JSON_TYPE)))).toBe('VALIDATION_ERROR')
  })

  test('that is malformed or no UTF-8 is a fault that does not quote it', async () => {
    for (const body of ['{"secret": "S3CRET"', '{"a":}', 'S3CRET', new Uint8Array([0x22, 0xff, 0xfe, 0x22])]) {
      const error = await readJson(post(body)).catch(error => error)
      expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'body' }] })
      expect(JSON.stringify([error.message, error.details, String(error.cause)])).not.toContain('S3CRET')
    }
  })

  test('may hold a byte order mark', async () => {
    expect((await readJson(post('\uFEFF{"a":1}'))).value).toEqual({ a: 1 })
  })

  test('refuses integers that a double would round, and only those', async () => {
    for (const body of ['{"a":[9007199254740993]}', '{"id":-12345678901234567890}', '[1e2,10000000000000000]']) {
      expect(await codeOf(readJson(post(body)))).toBe('VALIDATION_ERROR')
    }
    const kept = '{"a":9007199254740991,"b":6.02214076e23,"c":"9007199254740993","d":0.1234567890123456,"e":1e300}'
    expect(JSON.stringify((await readJson(post(kept))).value)).toBe(
      kept.replace('e23', 'e+23').replace('e300', 'e+300'),
    )
  })

  test('may be up to 16 MB and no more', async () => {
    const text = JSON.stringify({ memory: 'x'.repeat(JSON_BODY_MAX - 13) })
    expect(text.length).toBe(JSON_BODY_MAX)
    expect((await readJson(post(text))).bytes.length).toBe(JSON_BODY_MAX)
    expect(await codeOf(readJson(post(`${text} `)))).toBe('PAYLOAD_TOO_LARGE')
  })
})

describe('a body of unknown length', () => {
  const chunk = new Uint8Array(1024)

  test('is read whole when it fits', async () => {
    expect((await readBytes(post(stream(chunk, 3).body), 3 * 1024)).length).toBe(3 * 1024)
  })

  test('is refused when it is larger than it claims to be', async () => {
    const { body } = stream(chunk, 100)
    const lying = post(body, { ...JSON_TYPE, 'content-length': '5' })
    expect(await codeOf(readBytes(lying, 10 * 1024))).toBe('PAYLOAD_TOO_LARGE')
  })

  test('whose rest is refused is drained before the answer', async () => {
    const { body, pulled } = stream(chunk, 100)
    expect(await codeOf(readBytes(post(body), 10 * 1024))).toBe('PAYLOAD_TOO_LARGE')
    expect(pulled()).toBe(100 * 1024)
  })
})

describe('what is left of a body', () => {
  test('is read away', async () => {
    const { body, pulled } = stream(new Uint8Array(1024), 50)
    await discardBody(post(body))
    expect(pulled()).toBe(50 * 1024)
  })

  test('is read away up to a bound, however much there is', async () => {
    const { body, pulled } = stream(new Uint8Array(1024 * 1024), 1000)
    await discardBody(post(body))
    expect(pulled()).toBeLessThanOrEqual(65 * 1024 * 1024)
  })

  test('is given up when it does not come', async () => {
    // What waited for it would never end.
    expect(await discardBody(post(new ReadableStream({})))).toBeUndefined()
  })

  test('is nothing when it was read, or when there never was one', async () => {
    const request = post('{}')
    await readJson(request)
    await discardBody(request)
    await discardBody(new Request('http://localhost/'))
    expect(request.bodyUsed).toBe(true)
  })

  test('that breaks off is no failure', async () => {
    const broken = new ReadableStream({ pull: controller => controller.error(new Error('gone')) }, { highWaterMark: 0 })
    await discardBody(post(broken))
    expect(broken.locked).toBe(true)
  })
})
