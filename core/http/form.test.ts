import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import type { Json } from '../../test/support/client.ts'
import { WORKSPACE } from '../../test/support/fake-world.ts'
import { transferWorld } from '../../test/transfers/world.ts'
import { KB, MB } from './sizes.ts'

const OTHER = '00000000-0000-4000-8000-0000000000aa'

function formOf(...entries: [name: string, value: string | Blob, filename?: string][]): FormData {
  const data = new FormData()
  for (const [name, value, filename] of entries) {
    if (typeof value === 'string') data.append(name, value)
    else data.append(name, value, filename)
  }
  return data
}

const fileOf = (content: string | Uint8Array<ArrayBuffer>, type = 'text/plain') => new Blob([content], { type })
const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')

for (const [path, filesOf] of [
  ['/v1/form', (body: Json) => [body.file]],
  ['/v1/form-stream', (body: Json) => body.files],
] as const) {
  describe(`POST ${path}`, () => {
    const post = (data: FormData, headers = {}) => transferWorld().client.request('POST', path, { raw: data, headers })

    test('gives fields typed and files whole, wherever the fields stand', async () => {
      const content = '%PDF and more of it. '.repeat(9000)
      const file: [string, Blob, string] = ['file', fileOf(content, 'application/pdf'), 'C:\\Größe „1“.pdf']
      const given: [string, string][] = [
        ['title', 'größer 😀'],
        ['rating', '4'],
        ['tags', 'a, b'],
        ['tags', 'c'],
        ['meta', '{"deep":true}'],
      ]
      for (const data of [formOf(...given, file), formOf(file, ...given)]) {
        const { status, body } = await post(data)
        expect([status, body.fields]).toEqual([
          201,
          { title: 'größer 😀', rating: 4, tags: ['a', 'b', 'c'], meta: { deep: true }, kind: 'note' },
        ])
        expect(filesOf(body)).toMatchObject([
          {
            name: 'file',
            filename: 'Größe „1“.pdf',
            contentType: 'application/pdf',
            head: '%PDF',
            size: Buffer.byteLength(content),
            sha256: sha256(content),
          },
        ])
      }
    })

    test('names every field at fault and every file that is missing', async () => {
      const data = formOf(
        ['title', ' '],
        ['rating', 'x'],
        ['meta', '{'],
        ['typo', '1'],
        ['kind', 'a'],
        ['kind', 'b'],
        ['upload', fileOf('x'), 'x.txt'],
        ['tags', fileOf('x'), 'y.txt'],
      )
      const { status, body } = await post(data)
      expect(status).toBe(400)
      expect(body.details.toSorted((a: Json, b: Json) => a.path.localeCompare(b.path))).toEqual([
        { path: 'file', message: 'is required' },
        { path: 'kind', message: 'must be given once' },
        { path: 'meta', message: 'must be an object' },
        { path: 'rating', message: 'must be a whole number from 1 to 5' },
        { path: 'tags', message: 'must be a field, not a file' },
        { path: 'title', message: 'must not be blank' },
        { path: 'typo', message: 'is not a known field' },
        { path: 'upload', message: 'is not a known file' },
      ])
    })

    test('takes a file of no name, none where a browser sends an empty one, and no text for a file', async () => {
      const boundary = 'x'
      const part = (disposition: string, content: string) =>
        `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`
      const send = (...parts: string[]) =>
        transferWorld().client.request('POST', path, {
          raw: `${parts.join('')}--${boundary}--\r\n`,
          headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
        })
      const title = part('name="title"', 'x')
      const { body } = await send(title, part('name="file"; filename=""', 'abc'))
      expect(filesOf(body)).toMatchObject([{ filename: '', size: 3, contentType: 'text/plain' }])
      const none = await send(title, part('name="file"; filename=""', ''))
      expect(none.body.details).toEqual([{ path: 'file', message: 'is required' }])
      // curl sends the name of a file as a text where its user forgot the `@`.
      const text = await send(part('name="file"', 'handbook.pdf'), title)
      expect([text.status, text.body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(text.body.details).toEqual([{ path: 'file', message: 'must be a file, not a field' }])
    })

    test('selects the workspace that the form names before its file, like a JSON body', async () => {
      const { client, steps } = transferWorld()
      const send = (...entries: [string, string | Blob][]) => {
        steps.length = 0
        return client.request('POST', path, { raw: formOf(['title', 'x'], ...entries) })
      }
      expect((await send(['workspace_id', WORKSPACE], ['file', fileOf('x')])).status).toBe(201)
      expect(steps).toEqual(['key', 'rate', `workspace ${WORKSPACE}`, 'quota'])
      expect((await send(['workspace_id', OTHER], ['file', fileOf('x')])).body.error_code).toBe('WORKSPACE_NOT_FOUND')
      const twice = await client.request('POST', path, {
        raw: formOf(['title', 'x'], ['workspace_id', OTHER], ['file', fileOf('x')]),
        query: { workspace_id: WORKSPACE },
      })
      expect(twice.body.details).toEqual([
        { path: 'workspace_id', message: 'must be the same in the query and in the body' },
      ])
    })

    test('parses nothing for a caller that may not send it', async () => {
      for (const [key, code] of [
        ['', 'UNAUTHORIZED'],
        ['eager', 'RATE_LIMITED'],
        ['reader', 'FORBIDDEN'],
        ['poor', 'FEATURE_NOT_ENABLED'],
      ]) {
        const { client, steps } = transferWorld()
        const headers = { 'x-api-key': key ?? '', 'content-type': 'multipart/form-data; boundary=x' }
        const response = await client.request('POST', path, { raw: 'no form at all', headers })
        expect([key, response.body.error_code, steps.includes('workspace own')]).toEqual([key, code, false])
      }
    })

    test('says what is wrong with a body that is no form', async () => {
      const { client } = transferWorld()
      const send = async (raw: string, type: string) => {
        const { status, body } = await client.request('POST', path, { raw, headers: { 'content-type': type } })
        return [status, body.details?.[0].message ?? body.message]
      }
      const form = 'multipart/form-data; boundary=x'
      const broken = (why: string) => [400, `is no valid multipart form: it ${why}`]
      expect(await send('{}', 'application/json')).toEqual([415, 'Send the body as multipart/form-data.'])
      expect(await send('x', 'multipart/form-data')).toEqual([400, 'must name its boundary in Content-Type'])
      expect(await send('', form)).toEqual(broken('ends before its last boundary'))
      expect(await send('--y\r\n\r\n', form)).toEqual(broken('ends before its last boundary'))
      expect(await send('--x\r\n\r\nabc\r\n--x--', form)).toEqual(
        broken('has a part without a Content-Disposition header'),
      )
      expect(await send('--x\r\nContent-Disposition: attachment\r\n\r\nabc\r\n--x--', form)).toEqual(
        broken('has a part without a name'),
      )
      expect(await send('--x\r\nContent-Disposition: form-data; name=a\r\n--x--', form)).toEqual(
        broken('has a part whose headers do not end'),
      )
      const cut = '--x\r\nContent-Disposition: form-data; name=file\r\n\r\nabc'
      expect((await send(cut, form))[0]).toBe(400)
    })
  })
}

describe('the limits of a form', () => {
  test('hold for each file, for all of it, and for its fields', async () => {
    const { client } = transferWorld()
    const title: [string, string] = ['title', 'x']
    const send = (data: FormData) => client.request('POST', '/v1/form', { raw: data })
    const file = (size: number) => fileOf(new Uint8Array(size))
    expect((await send(formOf(title, ['file', file(MB)]))).status).toBe(201)
    expect(await send(formOf(title, ['file', file(MB + 1)]))).toMatchObject({
      status: 413,
      body: { error_code: 'FILE_TOO_LARGE', message: 'The upload is larger than 1 MB.' },
    })
    const small: [string, Blob] = ['file', file(1)]
    expect((await send(formOf(title, small, ['extras', file(100 * KB + 1)]))).body.error_code).toBe('FILE_TOO_LARGE')
    const three = formOf(title, small, ['extras', file(1)], ['extras', file(1)], ['extras', file(1)])
    expect((await send(three)).body.details).toEqual([{ path: 'extras', message: 'must be given at most 2 times' }])
    expect((await send(formOf(title, small, small))).body.details).toEqual([
      { path: 'file', message: 'must be given once' },
    ])
    expect(await send(formOf(['title', 'x'.repeat(MB)], small))).toMatchObject({
      status: 413,
      body: { error_code: 'PAYLOAD_TOO_LARGE' },
    })
    expect((await send(formOf(title, ['typo', file(4 * MB)]))).body.error_code).toBe('FILE_TOO_LARGE')
  })

  test('hold for the number of its parts and for their headers', async () => {
    const { client } = transferWorld()
    const many = formOf(...Array.from({ length: 10_000 }, (): [string, string] => ['tags', 'x']))
    expect((await client.request('POST', '/v1/form', { raw: many })).body.details).toEqual([
      { path: 'body', message: 'must have at most 200 parts' },
    ])
    const bomb = `--x\r\nX-A: ${'a'.repeat(500_000)}\r\nContent-Disposition: form-data; name=title\r\n\r\nx\r\n--x--`
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    expect((await client.request('POST', '/v1/form', { raw: bomb, headers })).status).toBe(400)
  })

  test('leave nothing reserved behind, whatever became of the form', async () => {
    const { client, transfers } = transferWorld()
    const large = fileOf(new Uint8Array(900 * KB))
    for (const data of [
      formOf(['title', 'x'], ['file', large]),
      formOf(['file', large], ['title', ' ']),
      formOf(['title', 'x'], ['file', large], ['extras', fileOf(new Uint8Array(200 * KB))]),
    ]) {
      await client.request('POST', '/v1/form', { raw: data })
      expect([transfers.disk.used, transfers.memory.used, transfers.count]).toEqual([0, 0, 0])
    }
  })

  test('leave no room beyond the disk that all uploads may take', async () => {
    const { client, transfers } = transferWorld()
    const data = formOf(['title', 'x'], ['file', fileOf(new Uint8Array(900 * KB))])
    // Others leave room for one who has none yet, as long as they are few.
    while (transfers.disk.reserve('workspace of others', 16 * MB));
    expect((await client.request('POST', '/v1/form', { raw: data })).status).toBe(201)
    for (let n = 0; transfers.disk.reserve(`workspace ${n}`, MB); n++);
    const refused = await client.request('POST', '/v1/form', { raw: data })
    expect(refused).toMatchObject({ status: 503, body: { message: 'There is no room for the upload now.' } })
    expect(refused.headers.get('retry-after')).toBe('10')
  })
})

test('a form whole lets its handler read a part of a file, and read it again', async () => {
  const content = 'abcdefghij'.repeat(50_000)
  const { body } = await transferWorld().client.request('POST', '/v1/form', {
    raw: formOf(['title', 'x'], ['file', fileOf(content)]),
  })
  expect(body).toMatchObject({ part: 'bcde', file: { told: { size: 500_000, sha256: sha256(content) } } })
})

describe('a streamed form', () => {
  test('shows the fields before its first file, and refuses another workspace named after it', async () => {
    const { client } = transferWorld()
    const send = (...entries: [string, string | Blob][]) =>
      client.request('POST', '/v1/form-stream', { raw: formOf(...entries) })
    const { body } = await send(['title', 'x'], ['file', fileOf('a')], ['file', fileOf('b')], ['rating', '2'])
    expect([body.leading, body.fields]).toEqual([{ title: 'x' }, { title: 'x', rating: 2, kind: 'note' }])
    expect(body.files).toHaveLength(2)
    const same = await send(['title', 'x'], ['file', fileOf('a')], ['workspace_id', WORKSPACE.toUpperCase()])
    expect(same.status).toBe(201)
    const late = await send(['title', 'x'], ['file', fileOf('a')], ['workspace_id', OTHER])
    expect([late.status, late.body.details]).toEqual([
      400,
      [{ path: 'workspace_id', message: expect.stringContaining('must stand before the file') }],
    ])
  })

  test('refuses wrong fields before its first file without reading that', async () => {
    const { client, seen } = transferWorld()
    const raw = formOf(['rating', '9'], ['file', fileOf('x'.repeat(1000))])
    const { body } = await client.request('POST', '/v1/form-stream', { raw })
    expect([body.details, seen.received]).toEqual([
      [{ path: 'rating', message: 'must be a whole number from 1 to 5' }],
      0,
    ])
  })
})
