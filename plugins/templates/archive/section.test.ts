import { expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'
import { exported, imported, linesOf } from '../../exports/world.test-support.ts'

const PATH = '/v1/templates'
const account = async () => (await service()).account()
const welcome = {
  name: 'Welcome',
  description: null,
  variables: [{ name: 'customer' }],
  memories: [{ memory: '{{customer}} was met.', categories: ['work'], metadata: { from: ['{{customer}}'] } }],
}

test('templates move with an archive, and those that are there stay as they are', async () => {
  const { client: source } = await account()
  const [first] = [(await source.post(PATH, welcome)).body, await source.post(PATH, { ...welcome, name: 'Second' })]
  const { file } = await exported(source, { format: 'JSONL' })
  const { client } = await account()
  expect(await imported(client, file)).toMatchObject({ status: 'COMPLETED', records_restored: 2, lines_failed: 0 })
  expect((await client.get(PATH)).body).toEqual((await source.get(PATH)).body)
  await client.patch(`${PATH}/${first.id}`, { name: 'Changed' })
  const changed = (await client.get(PATH)).body
  expect(await imported(client, file)).toMatchObject({ records_restored: 0, lines_failed: 0 })
  expect((await client.get(PATH)).body).toEqual(changed)
})

test('an archive of one user, or of some categories, has no templates', async () => {
  const { client } = await account()
  await client.post(PATH, welcome)
  for (const narrowed of [{ user_id: 'ada' }, { categories: ['work'] }]) {
    const { file } = await exported(client, { format: 'JSONL', ...narrowed })
    expect(linesOf(file).some(({ type }) => type === 'template')).toBe(false)
  }
})

test('a template that nobody could have written is an error of its line', async () => {
  const { client } = await account()
  const record = { type: 'template', ...(await client.post(PATH, welcome)).body }
  const lines = [
    { text: 'New.' },
    { ...record, name: 7 },
    { ...record, memories: [{ memory: '{{nobody}} was met.' }] },
  ].map(line => JSON.stringify(line))
  const { errors } = await imported(client, lines.join('\n'))
  expect(errors).toEqual([
    { line: 2, message: expect.stringContaining('name') },
    { line: 3, message: 'memories.0 {{nobody}} is not among the variables' },
  ])
})
