import { expect, test } from 'bun:test'
import { readdir, readFile } from 'node:fs/promises'
import { manifestSchema, partsSchema } from '../../core/boot/manifest/schema.ts'
import { eraseTypes } from '../../core/plugin.ts'
import * as publicEntry from '../../core/public.ts'
import { definePlugin, plainArray, textArray, vectorLiteral } from '../../core/public.ts'
import { service, startService } from '../support/service.ts'

/** The reference in docs/plugins names every member that there is, and no other. */

/** The names in the first column of the tables under a heading of a page. */
async function named(page: string, heading: string): Promise<string[]> {
  const text = await readFile(new URL(`../../docs/plugins/${page}`, import.meta.url), 'utf8')
  const [, after = ''] = text.split(`${heading}\n`)
  const [section = ''] = after.split('\n## ')
  const cells = section.split('\n').flatMap(line => (/^\| `/.test(line) ? [line.split(' | ')[0] ?? ''] : []))
  return cells.flatMap(cell => [...cell.matchAll(/`(\w+)(?:\([^`]*)?`/g)].map(([, name = '']) => name)).sort()
}

const members = (schema: { properties: object }) => Object.keys(schema.properties).sort()
const listed = (part: 'routes' | 'tasks') => manifestSchema.properties[part]?.items

test('the manifest and what setup returns are documented member by member', async () => {
  expect(await named('manifest.md', '# Manifest')).toEqual(members(manifestSchema))
  expect(await named('manifest.md', '## What setup returns')).toEqual(members(partsSchema))
})

test('what setup gets is documented member by member', async () => {
  let lent: string[] = []
  const probe = definePlugin({
    id: 'probe',
    version: '1.0.0',
    apiVersion: 1,
    setup(context) {
      lent = Object.keys(context).sort()
      return { scope: null }
    },
  })
  await startService({}, { thirdParty: [eraseTypes(probe)] })
  expect(await named('manifest.md', '## What setup gets')).toEqual(lent)
})

test('routes and tasks are documented member by member', async () => {
  expect(await named('routes.md', '# Routes')).toEqual(members(listed('routes')))
  const tasks = await named('jobs.md', '# Jobs')
  expect(tasks).toEqual(expect.arrayContaining(members(listed('tasks'))))
})

test('every value that plugins may import stands in the documents, and the helpers in their table are all there', async () => {
  const exported = Object.keys(publicEntry)
  const folder = new URL('../../docs/plugins/', import.meta.url)
  const pages = [new URL('../plugins.md', folder), ...(await readdir(folder)).map(name => new URL(name, folder))]
  const text = (await Promise.all(pages.map(page => readFile(page, 'utf8')))).join('\n')
  const words = new Set(text.match(/\w+/g))
  expect(exported.filter(name => !words.has(name))).toEqual([])
  expect((await named('routes.md', '## Helpers')).filter(name => !exported.includes(name))).toEqual([])
})

test('values go into statements and come out of them as the table of tables.md says', async () => {
  const { database } = await service()
  const id = '5e1c7f0a-0d8e-4c39-9f5e-2f4d8f6f1f11'
  const at = new Date('2026-02-03T04:05:06.789Z')
  const bytes = Uint8Array.of(0, 255)
  const vector = Float32Array.of(0.5, 1)
  const [row] = await database.system(
    tx => tx`
      select
        ${'é'}::text as text, ${id}::uuid as id, 7::integer as small, count(*) as count, 1.5::numeric as exact,
        1.5::float8 as float, ${true}::boolean as flag, ${at}::timestamptz as at, ${tx.json({ a: [1] })}::jsonb as json,
        ${bytes}::bytea as bytes, ${textArray(['a', 'b "c"'])}::text[] as texts, ${plainArray([id])}::uuid[] as ids,
        json_agg(1) as list, ${vectorLiteral(vector)}::vector as vector, ${null}::text as nothing`,
  )
  const { bytes: read, ...values } = row ?? {}
  expect(values).toEqual({
    text: 'é',
    id,
    small: 7,
    count: 1,
    exact: '1.5',
    float: 1.5,
    flag: true,
    at,
    json: { a: [1] },
    texts: '{a,"b \\"c\\""}',
    ids: `{${id}}`,
    list: [1],
    vector: '[0.5,1]',
    nothing: null,
  })
  expect([read instanceof Uint8Array, [...read]]).toEqual([true, [0, 255]])
  await expect(database.system(tx => tx`select ${JSON.parse('{}').missing}`)).rejects.toThrow('UNDEFINED_VALUE')
})
