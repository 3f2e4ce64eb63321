import { describe, expect, test } from 'bun:test'
import { ownDatabaseUrl } from '../../test/support/database.ts'
import { startService } from '../../test/support/service.ts'
import { PATH, user } from './world.test-support.ts'

describe('DELETE /v1/memories', () => {
  test('drops conversations that are still being read, within its scope alone', async () => {
    // Nobody reads them here: a service without workers, on a database of its own.
    const service = await startService({ WORKERS: 'none' }, { url: await ownDatabaseUrl() })
    const { client, password, workspaceId } = await service.account()
    const stranger = await service.account()
    const said = { messages: [user('I live in Ghent.')] }
    const handIn = async (of: object, by = client): Promise<string> => (await by.post(PATH, { ...said, ...of })).body.id
    const ids = {
      ada: await handIn({ user_id: 'ada' }),
      adaGuide: await handIn({ user_id: 'ada', agent_id: 'guide' }),
      bobGuide: await handIn({ user_id: 'bob', agent_id: 'guide' }),
      bob: await handIn({ user_id: 'bob' }),
      bobChat: await handIn({ user_id: 'bob', session_id: 'chat' }),
    }
    const theirs = await handIn({ user_id: 'ada' }, stranger.client)
    const clear = async (query: Record<string, string>) => {
      const { status } = await client.delete('/v1/memories', { query, headers: { 'x-confirm-password': password } })
      expect(status).toBe(204)
      const answers = await Promise.all(Object.values(ids).map(id => client.get(`${PATH}/${id}`)))
      return Object.keys(ids).filter((_, n) => answers[n]?.status === 200)
    }
    expect(await clear({ user_id: 'ada', agent_id: 'guide' })).toEqual(['ada', 'bobGuide', 'bob', 'bobChat'])
    expect(await clear({ user_id: 'ada' })).toEqual(['bobGuide', 'bob', 'bobChat'])
    expect(await clear({ user_id: 'ada', session_id: 'chat' })).toEqual(['bobGuide', 'bob', 'bobChat'])
    expect(await clear({ session_id: 'chat' })).toEqual(['bobGuide', 'bob'])
    expect(await clear({ agent_id: 'guide' })).toEqual(['bob'])
    const again = await handIn({ user_id: 'ada' })
    expect(again).not.toBe(ids.ada)
    // The messages of one that failed are kept for a while, but not beyond this.
    await service.database.workspace(
      workspaceId,
      tx => tx`update conversations.conversation set status = 'FAILED' where conversation.id = ${again}`,
    )
    expect(await clear({})).toEqual([])
    expect((await client.get(`${PATH}/${again}`)).status).toBe(404)
    const left = await service.database.workspace(workspaceId, tx => tx`select * from conversations.message`)
    expect(left).toHaveLength(0)
    expect((await stranger.client.get(`${PATH}/${theirs}`)).body.status).toBe('PENDING')
  })
})
