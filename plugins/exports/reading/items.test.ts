import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../test/support/client.ts'
import { service } from '../../../test/support/service.ts'
import { imported } from '../world.test-support.ts'

const fresh = async () => (await (await service()).account()).client
const lines = (...values: unknown[]) => values.map(value => JSON.stringify(value)).join('\n')

describe('an import', () => {
  test('numbers lines as an editor does', async () => {
    const content = ['', '{"text": "Good."}', ' ', 'bad', '{"text": "Also good."}', ''].join('\n')
    const done = await imported(await fresh(), content)
    expect(done).toMatchObject({ memories_created: 2, errors: [{ line: 4, message: 'is not valid JSON' }] })
  })

  test('takes categories with commas between and numbers for categories, and nothing else', async () => {
    const client = await fresh()
    const content = lines(
      { text: 'Ada sails.', categories: ' sport, sea,,sport' },
      { text: 'Bob rows.', categories: [7, 'sea', null] },
      { text: 'Carla swims.', categories: { a: 'sea' } },
      { text: 'Dora dives.', categories: ['sea', { name: 'deep' }] },
    )
    const done = await imported(client, content)
    expect(done).toMatchObject({ memories_created: 2, lines_failed: 2, errors: [{ line: 3 }, { line: 4 }] })
    for (const { message } of done.errors) expect(message).toStartWith('categories')
    const { data } = (await client.get('/v1/memories')).body
    expect(data.map(({ categories }: Json) => categories).toSorted()).toEqual([
      ['7', 'sea'],
      ['sport', 'sea'],
    ])
  })

  test('tells which lines it could not read, and keeps the others', async () => {
    const client = await fresh()
    const content = [
      '{"text": "Good."}',
      '{"text": }',
      '{"note": "no text"}',
      JSON.stringify({ text: 'x'.repeat(50_001) }),
      '{"text": "Old.", "created_at": "0300-01-01"}',
      '{"text": " \\n "}',
      '{"text": "", "memory": "Good as well."}',
      JSON.stringify({ role: 'user', content: '' }),
      JSON.stringify({ text: 'Busy.', categories: Array.from({ length: 21 }, (_, n) => `c${n}`) }),
      JSON.stringify({ text: 'Tidy.', categories: [...Array(21).fill(' a '), 'b', ' '] }),
      JSON.stringify({ text: 'Long.', categories: ['c'.repeat(101)] }),
      '" "',
      '{"text": "Also good."}',
    ].join('\n')
    const done = await imported(client, content)
    expect(done).toMatchObject({ status: 'COMPLETED', memories_created: 4, lines_failed: 9 })
    expect(done.errors.map(({ line }: Json) => line)).toEqual([2, 3, 4, 5, 6, 8, 9, 11, 12])
    const messages = new Map(done.errors.map(({ line, message }: Json) => [line, message]))
    expect(messages.get(2)).toBe('is not valid JSON')
    for (const line of [6, 8, 12]) expect(messages.get(line)).toBe('has a blank text')
    expect(messages.get(9)).toContain('categories')
    expect(messages.get(11)).toContain('categories.0')
    const { data } = (await client.get('/v1/memories')).body
    expect(data.find(({ memory }: Json) => memory === 'Tidy.').categories).toEqual(['a', 'b'])
  })
})
