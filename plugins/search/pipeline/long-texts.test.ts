import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client, Json } from '../../../test/support/client.ts'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { textsIn } from './long-texts.test-support.ts'

/** A busy machine may take this long to embed the texts. */
const PROCESSING_MS = 300_000

/** A workspace of its own with these memories, all processed. @returns a client and the ids */
async function workspaceWith(
  texts: readonly string[],
): Promise<{ client: Client; ids: string[]; workspaceId: string }> {
  const { client, workspaceId } = await (await service()).account()
  const ids: string[] = []
  for (let from = 0; from < texts.length; from += 100) {
    const memories = texts.slice(from, from + 100).map(memory => ({ memory }))
    const { body } = await client.post('/v1/memories/batch', { memories })
    ids.push(...body.results.map((result: Json) => result.memory.id))
  }
  await processed(workspaceId)
  return { client, ids, workspaceId }
}

async function processed(workspaceId: string): Promise<void> {
  const { database } = await service()
  const all = async () => {
    const open = await database.system(
      tx => tx`
        select from memories.memory where memory.workspace_id = ${workspaceId} and memory.status <> 'COMPLETED' limit 1`,
    )
    return open.length === 0
  }
  await until('all memories are processed', all, PROCESSING_MS)
}

async function passagesOf(memoryId: string): Promise<number> {
  const { database } = await service()
  const rows = await database.system(tx => tx`select from search.passage where passage.memory_id = ${memoryId}`)
  return rows.length
}

async function search(client: Client, query: string, fields: object = {}): Promise<Json> {
  return (await client.post('/v1/memories/search', { query, limit: 10, ...fields })).body
}

/** The built-in model is one for English: it tells texts in other scripts badly apart, so there words find them. */
const MODES = { English: ['hybrid', 'semantic'], Japanese: ['hybrid'], Arabic: ['hybrid'] } as const

/** A failing test prints this instead of whole texts. */
const beginningOf = ({ memory }: Json) => String(memory).slice(0, 60)

describe.each(['English', 'Japanese', 'Arabic'] as const)('a text of 8,000 characters in %s', language => {
  const { long, distractors, short } = textsIn(language)
  let client: Client
  beforeAll(async () => {
    client = (await workspaceWith([long.text, ...distractors, ...short])).client
  }, PROCESSING_MS)

  for (const [place, question] of Object.entries(long.questions)) {
    test.each(MODES[language])(`is found by its ${place} in %s mode`, async mode => {
      const { data } = await search(client, question, { mode })
      expect(data.slice(0, 3).map(beginningOf)).toContain(beginningOf({ memory: long.text }))
    })
  }

  test.each(MODES[language])('does not outrank a short text that answers, in %s mode', async mode => {
    const { data } = await search(client, short[7] ?? '', { mode })
    expect(beginningOf(data[0])).toBe(short[7] ?? '')
  })
})

describe('the passages of a long text', () => {
  const { long } = textsIn('English')
  let world: Awaited<ReturnType<typeof workspaceWith>>
  beforeAll(async () => {
    world = await workspaceWith([long.text, 'Tea at four.'])
  }, PROCESSING_MS)

  test('are told by explain and why, with their place in the text', async () => {
    const { client, ids } = world
    const body = { query: long.questions.middle, mode: 'semantic' }
    const { data } = await search(client, body.query, { ...body, explain: true })
    const [{ explanation }] = data
    const { start, end } = explanation.passage
    expect(long.text.slice(start, end)).toContain('boathouse')
    expect(end - start).toBeLessThan(1_000)
    expect(explanation.passage.cosine).toBeGreaterThan(explanation.cosine)
    const why = await client.post('/v1/memories/search/why', { ...body, memory_id: ids[0] })
    expect(why.body.explanation.passage).toEqual(explanation.passage)
  })

  test('are not told of short ones', async () => {
    const { data } = await search(world.client, 'Tea at four', { explain: true })
    expect(data[0].explanation.passage).toBeNull()
  })

  test('pass the filters of a search', async () => {
    const query = long.questions.middle
    const fields = [{ user_id: 'nobody' }, { filter: { kind: 'none' } }, { created_before: '2000-01-01' }]
    for (const field of fields) expect((await search(world.client, query, field)).data).toEqual([])
  })

  test('go when the text becomes short, and with the memory', async () => {
    const { client, ids, workspaceId } = await workspaceWith([long.text])
    const [id = ''] = ids
    expect(await passagesOf(id)).toBeGreaterThan(10)
    await client.put(`/v1/memories/${id}`, { memory: 'All of it was left out.' })
    await processed(workspaceId)
    expect(await passagesOf(id)).toBe(0)
    await client.put(`/v1/memories/${id}`, { memory: long.text })
    await processed(workspaceId)
    expect(await passagesOf(id)).toBeGreaterThan(10)
    await client.delete(`/v1/memories/${id}`)
    expect(await passagesOf(id)).toBe(0)
  })
})
