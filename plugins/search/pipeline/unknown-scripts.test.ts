import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client } from '../../../test/support/client.ts'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

const TEXTS = [
  'ฉันชอบดื่มกาแฟตอนเช้า',
  'วันนี้ฝนตกหนักมากที่กรุงเทพ',
  'ខ្ញុំចូលចិត្តញ៉ាំបាយនៅផ្ទះ',
  '🦊🦊',
  'Ada likes green tea',
  '宇治で抹茶を飲んだ',
  '김치찌개를 끓였다',
  'मुंबई में बारिश',
]

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

  test.each([
    ['กาแฟ', TEXTS[0]],
    ['ផ្ទះ', TEXTS[2]],
    ['🦊', TEXTS[3]],
    ['抹茶', TEXTS[5]],
    ['김치찌개', TEXTS[6]],
    ['मुंबई', TEXTS[7]],
  ])('%s is found by its words in semantic mode too, with a warning', async (query, text = '') => {
    const body = await search(query, 'semantic')
    expect(texts(body)).toEqual([text])
    expect(body).toMatchObject({ total: 1, warning: expect.stringContaining('by words only') })
    expect(body.data[0].score).toBeGreaterThan(0)
  })

  test('are ranked in semantic mode as in hybrid mode', async () => {
    const found = texts(await search('กาแฟ ตอนเช้า ฝนตก', 'semantic'))
    expect(found.length).toBeGreaterThan(1)
    expect(found).toEqual(texts(await search('กาแฟ ตอนเช้า ฝนตก', 'hybrid')))
  })

  test('are not found by a semantic search for other words, and the reason is true', async () => {
    expect(await search('แมว', 'semantic')).toMatchObject({ data: [], total: 0 })
    const ask = async (query: string, memory = '') => {
      const { body } = await client.get('/v1/memories/search', { query: { query: memory, mode: 'keyword' } })
      const why = await client.post('/v1/memories/search/why', { query, mode: 'semantic', memory_id: body.data[0].id })
      return why.body
    }
    expect(await ask('抹茶', TEXTS[5])).toMatchObject({ found: true, rank: 1 })
    expect(await ask('แมว', TEXTS[5])).toMatchObject({
      found: false,
      reasons: [{ code: 'NOT_EMBEDDED', message: expect.stringContaining('the query has no vector') }],
    })
    expect(texts(await search('a hot drink', 'semantic'))).toEqual(['Ada likes green tea'])
  })
})
