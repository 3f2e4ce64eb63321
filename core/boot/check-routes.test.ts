import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { form } from '../http/upload.ts'
import type { AnyPlugin } from '../plugin.ts'
import { checkManifests, ManifestError } from './check.ts'
import { readManifest } from './manifest/read.ts'
import { selectPlugins } from './select.ts'

const upload = form({ files: { file: { description: 'A file.', maxBytes: 10 } } })
const at = { path: '/v1/x' } as const

function faultsOf(route: object): readonly string[] {
  const plugin = {
    id: 'things',
    version: '1',
    apiVersion: 1,
    setup: () => ({ scope: null }),
    routes: [{ ...at, access: 'public', ...route }],
  }
  try {
    checkManifests(selectPlugins([plugin as unknown as AnyPlugin], [], []))
    return []
  } catch (error) {
    if (error instanceof ManifestError) return error.faults
    throw error
  }
}

test('a route with bodies that fit together is let in', () => {
  expect(faultsOf({ method: 'POST', body: upload })).toEqual([])
  expect(faultsOf({ method: 'POST', body: Type.Object({}), bodyMaxBytes: 5 })).toEqual([])
  expect(faultsOf({ method: 'GET', download: true, contentType: 'text/csv' })).toEqual([])
})

test.each([
  [{ method: 'GET', body: upload }, 'takes an upload; make it a POST or a PUT'],
  [{ method: 'POST', body: upload, raw: true }, 'takes an upload and is raw; a raw route reads its body itself'],
  [
    { method: 'POST', body: upload, relays: true },
    'takes an upload and relays; an upload holds a turn while it is read',
  ],
  [{ method: 'POST', body: upload, bodyMaxBytes: 5 }, 'sets bodyMaxBytes; an upload has limits of its own'],
  [{ method: 'POST', download: true, contentType: 'a/b' }, 'answers with a download; make it a GET'],
  [{ method: 'GET', download: true }, 'answers with a download; name its contentType for the reference'],
  [{ method: 'PUT', head: () => ({ status: 200 }) }, 'has a head of its own; only a GET answers HEAD'],
] as const)('one that declares what cannot be kept gets its sentence: %#', (route, fault) => {
  expect(faultsOf(route)).toEqual([`plugin things: the route ${route.method} /v1/x ${fault}`])
})

describe('an upload in a manifest', () => {
  const faultsOf = (body: unknown) => {
    const route = {
      ...at,
      method: 'POST',
      access: 'public',
      summary: 'x',
      responses: { 201: null },
      handle: () => ({ status: 201 }),
    }
    const manifest = {
      id: 'things',
      version: '1',
      apiVersion: 1,
      routes: [{ ...route, body }],
      setup: () => ({ scope: null }),
    }
    const reading = readManifest(manifest, './things.ts')
    return 'faults' in reading ? reading.faults : []
  }
  const file = { description: 'A file.', maxBytes: 10 }

  test('is read as it is', () => {
    expect(faultsOf(upload)).toEqual([])
    expect(faultsOf(Type.Object({}))).toEqual([])
  })

  test.each([
    [{ ...upload, maxBytes: 0 }, 'needs `maxBytes` above 0'],
    [{ ...upload, files: {} }, 'takes no file: declare its `files`, or send a JSON body'],
    [
      { ...upload, files: { file: { ...file, maxBytes: -1 } } },
      'has the file file, which needs a description and `maxBytes` above 0',
    ],
    [{ ...upload, fields: Type.Object({ file: Type.String() }) }, 'has both a field and a file file'],
    [
      { ...upload, fields: { type: 'object' } },
      'has `fields` that is not a TypeBox schema: build it with Type, plain JSON Schema is not enough',
    ],
    [{ type: 'object' }, 'is not a TypeBox schema: build it with Type, plain JSON Schema is not enough'],
  ])('is refused with its reason: %#', (body, fault) => {
    expect(faultsOf(body)).toEqual([`plugin things: \`body\` of the route POST /v1/x ${fault}`])
  })
})
