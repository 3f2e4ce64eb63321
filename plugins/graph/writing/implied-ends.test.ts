import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'
import { allRead, edgesOf, faultsOf } from './writing.test-support.ts'

/** Tells a user's memories one after the other, without a language model. */
async function telling(...texts: readonly string[]) {
  const running = await service()
  const { client, workspaceId } = await running.account()
  const ids: string[] = []
  for (const memory of texts) {
    const { status, body } = await client.post('/v1/memories', { memory, user_id: 'ida' })
    expect(status).toBe(201)
    ids.push(body.id)
    await allRead(running, workspaceId, ids.length)
  }
  const edges = async (type: string) => {
    expect(await faultsOf(running, workspaceId)).toEqual([])
    const all = await edgesOf(running, workspaceId)
    return all.filter(line => line.includes(` ${type} `)).map(line => line.replace(`ida ${type} `, ''))
  }
  return { edges, forget: async (n: number) => client.delete(`/v1/memories/${ids[n]}`) }
}

describe('what one owns', () => {
  test('ends by a part of its name, and is owned again without the memory that says so', async () => {
    const { edges, forget } = await telling('I bought a Skoda Enyaq in 2023.', 'Sold the Skoda yesterday.')
    expect(await edges('OWNS')).toEqual(['-Skoda', '-Skoda Enyaq'])
    expect((await forget(1)).status).toBe(204)
    expect(await edges('OWNS')).toEqual(['Skoda Enyaq'])
  })

  test('does not end where the part is of two, or another is meant by its owner or its day', async () => {
    const two = await telling('I own a Skoda Enyaq.', 'I own a Skoda Fabia.', 'I sold the Skoda.')
    expect(await two.edges('OWNS')).toEqual(['-Skoda', 'Skoda Enyaq', 'Skoda Fabia'])
    const other = await telling('I own a Skoda Enyaq.', 'Klaus sold the Skoda.')
    expect(await other.edges('OWNS')).toContain('Skoda Enyaq')
    const before = await telling('I own a Skoda Enyaq.', 'I sold the Skoda in 2010.')
    expect(await before.edges('OWNS')).toContain('Skoda Enyaq')
  })
})

describe('whom one reports to', () => {
  test('ends with the job, and holds again without the memory that ends it', async () => {
    const { edges, forget } = await telling('I work at Philips.', 'I report to Farah Siddiqui.', 'I left Philips.')
    expect(await edges('REPORTS_TO')).toEqual(['-Farah Siddiqui'])
    expect((await forget(2)).status).toBe(204)
    expect(await edges('REPORTS_TO')).toEqual(['Farah Siddiqui'])
  })

  test('ends with the job that another one takes the place of, but not that of the new one', async () => {
    const { edges } = await telling(
      'I work at Philips.',
      'I report to Farah Siddiqui.',
      'I now work at ASML and report to Lotte Hendriks.',
    )
    expect(await edges('REPORTS_TO')).toEqual(['-Farah Siddiqui', 'Lotte Hendriks'])
  })

  test('holds where it is told again after the job, and while another job goes on', async () => {
    const again = await telling(
      'I work at Philips.',
      'I report to Farah Siddiqui.',
      'I left Philips.',
      'Farah Siddiqui is still my boss.',
    )
    expect(await again.edges('REPORTS_TO')).toContain('Farah Siddiqui')
    const late = await telling('I work at Philips.', 'I report to Farah Siddiqui.', 'I left ASML in 2015.')
    expect(await late.edges('REPORTS_TO')).toEqual(['Farah Siddiqui'])
  })
})
