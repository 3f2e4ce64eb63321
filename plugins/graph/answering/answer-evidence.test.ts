import { beforeAll, expect, test } from 'bun:test'
import type { Client, Json } from '../../../test/support/client.ts'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { edgesOf } from '../writing/writing.test-support.ts'

let client: Client

/** Each is alone of its kind, so that only the graph connects a question with it. */
const TEXTS = {
  boss: 'I report to Dagmar Kralova.',
  formerBoss: 'I reported to Pavel Novak until 2024.',
  sister: 'My sister Lena is a doctor.',
  home: 'Lena lives in Porto.',
  passwords: 'The password manager is new.',
} as const

beforeAll(async () => {
  const running = await service()
  const account = await running.account()
  client = account.client
  for (const memory of Object.values(TEXTS)) await client.post('/v1/memories', { memory, user_id: 'u7' })
  await until('the graph has read all', async () => (await edgesOf(running, account.workspaceId)).length >= 4, 150_000)
})

/** The texts that tell the answer, with how sure that is, and the first result. */
async function asked(query: string, mode = 'hybrid', user_id = 'u7') {
  const { body } = await client.post('/v1/memories/search', { query, mode, user_id, explain: true, limit: 50 })
  const telling = body.data.filter(({ explanation }: Json) => explanation.evidence.facts > 0)
  return { first: body.data[0]?.memory, telling: telling.map(({ memory }: Json) => memory) }
}

test.each([
  ['Who is my manager?', [TEXTS.boss]],
  ["Who is the user's boss?", [TEXTS.boss]],
  ['Who was my manager?', [TEXTS.formerBoss]],
  ['Wer ist meine Schwester?', [TEXTS.sister]],
  ['Where does my sister live?', [TEXTS.home, TEXTS.sister]],
  ['Is Lena my sister?', [TEXTS.sister]],
])('%s leads to the memories that tell it, whatever their words', async (query, texts) => {
  const { first, telling } = await asked(query)
  expect(telling.toSorted()).toEqual(texts.toSorted())
  expect(texts).toContain(first)
})

test.each([
  ['Which password manager do we use?', 'a word that is not understood'],
  ['What is my favourite manager like?', 'a word that is not understood'],
  ['manager', 'nobody whose manager it is'],
  ['Where does Oksana live?', 'somebody whom nobody knows'],
  ['Who is my brother?', 'nobody known'],
])('%s is answered by none: it asks for %s', async query => {
  expect((await asked(query)).telling).toEqual([])
})

test('another user, and words alone, lead to no answer', async () => {
  expect((await asked('Who is my manager?', 'hybrid', 'u8')).telling).toEqual([])
  expect((await asked('manager', 'keyword')).telling).toEqual([])
})
