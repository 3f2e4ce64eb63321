import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client } from '../../../test/support/client.ts'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

const TEXTS = ['ฉันชอบดื่มกาแฟตอนเช้า', 'วันนี้ฝนตกหนักมากที่กรุงเทพ', 'ខ្ញុំចូលចិត្តញ៉ាំបាយនៅផ្ទះ', '🦊🦊', 'Ada likes green tea']

describe('texts in a script that the embedding model does not support', () => {
  let client: Client
  beforeAll(async () => {
    client = (await (await service()).account()).client
    await client.post('/v1/memories/batch', { memories: TEXTS.map(memory => ({ memory })) })
    await until('all are processed', async () => {
      const { body } = await client.get('/v1/memories')
      return body.data.every((memory: { status: string }) => memory.status === 'COMPLETED')
    })
  })

  const search = async (query: string, mode: string) =>
    (await client.get('/v1/memories/search', { query: { query, mode } })).body
  const texts = (body: { data: { memory: string }[] }) => body.data.map(({ memory }) => memory)

  test.each([
    ['กาแฟ', TEXTS[0]],
    ['ฝนตก', TEXTS[1]],
    ['ផ្ទះ', TEXTS[2]],
    ['🦊', TEXTS[3]],
  ])('%s is found by its words', async (query, text) => {
    const { warning, ...hybrid } = await search(query, 'hybrid')
    expect(warning).toBeUndefined()
    expect(texts(hybrid)[0]).toBe(text)
    expect(texts(await search(query, 'keyword'))).toEqual([text ?? ''])
  })

  test('are not confused with each other', async () => {
    expect(texts(await search('🍵', 'hybrid'))).toEqual([])
    expect(texts(await search('แมว', 'hybrid'))).toEqual([])
  })

  test('give an empty semantic search with a reason', async () => {
    const body = await search('ฝนตก', 'semantic')
    expect(body).toMatchObject({ data: [], total: 0, warning: expect.stringContaining('Hybrid and keyword mode') })
    expect(texts(await search('a hot drink', 'semantic'))).toEqual(['Ada likes green tea'])
  })
})
