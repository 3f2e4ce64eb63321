import { describe, expect, test } from 'bun:test'
import { systemClock } from '../clock.ts'
import { AppError } from '../errors.ts'
import { JSON_BODY_MAX_BYTES, JSON_LEVELS_MAX, parseJson, readJson } from './body.ts'
import { IncomingBody } from './incoming-body.ts'
import { Transfers } from './transfers.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

function post(body: BodyInit | null, headers: Record<string, string> = JSON_TYPE): Request {
  return new Request('http://localhost/', { method: 'POST', body, headers })
}

function read(request: Request, maxBytes?: number) {
  return readJson(request, new IncomingBody(request, { clock: systemClock, transfers: new Transfers() }), { maxBytes })
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
    const { value, bytes } = await read(post('{"memory":"größer 😀"}'))
    expect(value).toEqual({ memory: 'größer 😀' })
    expect(new TextDecoder().decode(bytes)).toBe('{"memory":"größer 😀"}')
  })

  test('is taken by any spelling of its type and by no other', async () => {
    for (const type of ['application/json', 'Application/JSON; charset=utf-8', 'application/merge-patch+json'])
      expect((await read(post('{}', { 'content-type': type }))).value).toEqual({})
    for (const type of ['text/plain', 'application/jsonp', 'multipart/form-data; boundary=x', 'application/json-x', ''])
      expect(await codeOf(read(post('{}', { 'content-type': type })))).toBe('UNSUPPORTED_MEDIA_TYPE')
  })

  test('is taken as it is, never compressed', async () => {
    const encoded = (encoding: string) => read(post('{}', { ...JSON_TYPE, 'content-encoding': encoding }))
    for (const encoding of ['gzip', 'br', 'identity, gzip'])
      expect(await codeOf(encoded(encoding))).toBe('UNSUPPORTED_MEDIA_TYPE')
    expect((await encoded('Identity')).value).toEqual({})
  })

  test('is missed where there is none', async () => {
    expect(await codeOf(read(post(null, {})))).toBe('VALIDATION_ERROR')
    expect(await codeOf(read(post('', JSON_TYPE)))).toBe('VALIDATION_ERROR')
  })

  test('that is malformed or no UTF-8 is a fault that does not quote it', async () => {
    for (const body of ['{"secret": "S3CRET"', '{"a":}', 'S3CRET', new Uint8Array([0x22, 0xff, 0xfe, 0x22])]) {
      const error = await read(post(body)).catch(error => error)
      expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'body' }] })
      expect(JSON.stringify([error.message, error.details, String(error.cause)])).not.toContain('S3CRET')
    }
  })

  test('may hold a byte order mark', async () => {
    expect((await read(post('\uFEFF{"a":1}'))).value).toEqual({ a: 1 })
  })

  test('refuses integers that a double would round, and only those', async () => {
    for (const body of ['{"a":[9007199254740993]}', '{"id":-12345678901234567890}', '[1e2,10000000000000000]']) {
      expect(await codeOf(read(post(body)))).toBe('VALIDATION_ERROR')
    }
    const kept = '{"a":9007199254740991,"b":6.02214076e23,"c":"9007199254740993","d":0.1234567890123456,"e":1e300}'
    expect(JSON.stringify((await read(post(kept))).value)).toBe(kept.replace('e23', 'e+23').replace('e300', 'e+300'))
  })

  test('may be up to 1 MB and no more, unless its route says otherwise', async () => {
    const text = JSON.stringify({ memory: 'x'.repeat(JSON_BODY_MAX_BYTES - 13) })
    expect(text.length).toBe(JSON_BODY_MAX_BYTES)
    expect((await read(post(text))).bytes.length).toBe(JSON_BODY_MAX_BYTES)
    expect(await codeOf(read(post(`${text} `)))).toBe('PAYLOAD_TOO_LARGE')
    expect((await read(post(`${text} `), text.length + 1)).bytes.length).toBe(text.length + 1)
    const refused = await read(post('{"a":1}'), 5).catch(error => error.message)
    expect(refused).toBe('The request body is larger than 5 bytes.')
  })

  test('has at most 64 levels, brackets within texts not counted', async () => {
    const nested = (levels: number) =>
      `${'['.repeat(levels)}"${'[{'.repeat(100)}\\""${']'.repeat(levels)}`.replace('\\""', '\\"["')
    expect((await read(post(nested(JSON_LEVELS_MAX)))).bytes.length).toBeGreaterThan(JSON_LEVELS_MAX)
    const error = await read(post(nested(JSON_LEVELS_MAX + 1))).catch(error => error)
    expect(error.details).toEqual([{ path: 'body', message: 'must have at most 64 levels' }])
    const deep = '{"a":'.repeat(200_000)
    expect(await codeOf(read(post(deep)))).toBe('VALIDATION_ERROR')
    const wide = JSON.stringify(Array.from({ length: 1000 }, () => [{ a: [] }]))
    expect((await read(post(wide))).value).toHaveLength(1000)
  })
})

describe('the limits of a document', () => {
  const faultOf = (text: string, valuesMax?: number): string | undefined => {
    try {
      parseJson(new TextEncoder().encode(text), valuesMax)
      return undefined
    } catch (error) {
      if (error instanceof AppError) return error.details?.[0]?.message
      throw error
    }
  }

  test('count every value once, those within others included, before anything is built of them', () => {
    expect(faultOf('[1,[2,{"a":3}]]', 6)).toBeUndefined()
    expect(faultOf('[1,[2,{"a":3}]]', 5)).toBe('must have at most 5 values')
    expect(faultOf(`"${'[1,2],'.repeat(100)}"`, 1)).toBeUndefined()
    // It is refused after the first few bytes, whatever follows.
    expect(faultOf(`[${'0,'.repeat(1000)}faulty`, 10)).toBe('must have at most 10 values')
  })

  test('hold for one text, however it is escaped', () => {
    const escaped = (count: number) => `["${'\\"'.repeat(count)}"]`
    expect(faultOf(escaped(512 * 1024))).toBeUndefined()
    expect(faultOf(escaped(512 * 1024 + 1))).toBe('must have no text of more than 1048576 bytes')
    expect(faultOf('["a\\\\","b\\\\\\""]')).toBeUndefined()
    expect(faultOf('["unfinished')).toBe('is not valid JSON in UTF-8')
  })

  test('name the key of an integer that a double would round', () => {
    const message = (where: string) =>
      `holds an integer beyond 2^53 ${where}, which cannot be kept exactly; send it as text`
    expect(faultOf('{"a":{"b":[1],"id":9007199254740993}}')).toBe(message('under "id"'))
    expect(faultOf('{"a":[1,9007199254740993]}')).toBe(message('in a list'))
    expect(faultOf(`{"a":-1${'0'.repeat(5000)}}`)).toBe(message('under "a"'))
    const exact = [
      '9007199254740991',
      '-9007199254740991',
      '1234567890123456.5',
      '9007199254740993e0',
      '0.12345678901234567',
      '1e-12345678901234567',
      '"9007199254740993"',
    ]
    for (const kept of exact) expect(faultOf(`{"a":[${kept}]}`)).toBeUndefined()
  })
})
