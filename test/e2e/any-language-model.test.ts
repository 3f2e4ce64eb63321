import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  type ChatRequest,
  chat,
  FAKE_CHAT_KEY,
  FAKE_CHAT_MODEL,
  FakeChat,
} from '../../core/models/language/chat/fake-chat.test-support.ts'
import { handIn, textsOf, user } from '../../plugins/conversations/world.test-support.ts'
import { told } from '../../plugins/graph/extraction/model/told.test-support.ts'
import { onEnd } from '../support/closing.ts'
import { ownDatabaseUrl } from '../support/database.ts'
import { serveHttp } from '../support/http-server.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/wait.ts'

/** Counts as the endpoint of a weak model: it knows no formats, and writes JSON in fences after thoughts. */
const model = new FakeChat()
let service: TestService

beforeAll(async () => {
  model.kind = 'plain'
  const server = await serveHttp(request => model.handle(request))
  onEnd(async () => server.close())
  service = await startService(
    {
      LANGUAGE_MODEL: 'http',
      LANGUAGE_MODEL_URL: server.origin,
      LANGUAGE_MODEL_NAME: FAKE_CHAT_MODEL,
      LANGUAGE_MODEL_API_KEY: FAKE_CHAT_KEY,
      KNOWLEDGE_DEBOUNCE_MS: '50',
    },
    { url: await ownDatabaseUrl() },
  )
})
afterAll(() => service.kernel.stop())

const WORK = 'Ada Okafor works at Northwind Labs.'
const LOCKER = 'My locker is in hall 4.'
const ANSWER = 'Northwind Labs is where Ada Okafor works.'

/** Tells calls apart by the first field of the schema that their instructions hold. */
const REPLIES: Readonly<Record<string, (input: string) => unknown>> = {
  facts: () => ({ facts: [{ turn: 0, quote: LOCKER, fact: LOCKER }] }),
  terms: () => ({ terms: ['locker'] }),
  knows: () => ({ knows: true, answer: ANSWER, confidence: 0.9, entities: ['e1', 'e2'] }),
  memories: input => ({ memories: memoriesIn(input).map(({ n, text }) => told(n, text === WORK ? KNOWN : {})) }),
  sections: input => ({
    sections: [{ heading: null, sentences: statementsIn(input).map(({ n, text }) => ({ text, from: [n] })) }],
  }),
}

const KNOWN = {
  entities: [
    ['Ada Okafor', 'PERSON'],
    ['Northwind Labs', 'ORGANIZATION'],
  ],
  relations: [['Ada Okafor', 'WORKS_AT', 'Northwind Labs', 'works at Northwind Labs']],
} as const

type Numbered = readonly { readonly n: number; readonly text: string }[]
const memoriesIn = (input: string): Numbered => JSON.parse(input)
const statementsIn = (input: string): Numbered => JSON.parse(input).statements

const kindOf = (request: ChatRequest) => /"properties":\{"(\w+)"/.exec(request.messages[0]?.content ?? '')?.[1] ?? ''

function reply(request: ChatRequest): Response {
  const [, input = ''] = request.messages[0]?.content.split('The message begins here.\n\n') ?? []
  const value = REPLIES[kindOf(request)]?.(input)
  return chat({ content: `<think>Well {…</think>\nHere:\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\`` }, 'stop')
}

test('any server with chat completions does all that Claude does, and its tokens are counted', async () => {
  expect(service.kernel.summary.join('\n')).toContain(`language   http/${FAKE_CHAT_MODEL}`)
  model.respond(reply)
  const { client, workspaceId } = await service.account()

  const done = await handIn(client, [user(LOCKER)])
  expect(done).toMatchObject({ status: 'COMPLETED', extracted_by: [`http/${FAKE_CHAT_MODEL}`] })
  expect(await textsOf(client, done.memories)).toEqual([LOCKER])

  for (const memory of [WORK, 'I like green tea.', 'I prefer trains to planes.']) {
    await client.post('/v1/memories', { memory, categories: ['preferences'] })
  }
  const answered = await until('the graph to answer by the model', async () => {
    const { body } = await client.post('/v1/graph/query', { query: 'Where does Ada Okafor work?' })
    return body.answer === ANSWER ? body : undefined
  })
  expect(answered.entities_used.map(({ name }: { name: string }) => name)).toContain('Northwind Labs')

  const search = { query: 'where is the cupboard', mode: 'hybrid', expand: true }
  const { body: found } = await client.post('/v1/memories/search', search)
  expect(found.data.map(({ memory }: { memory: string }) => memory)).toContain(LOCKER)

  await until('knowledge to be written by the model', async () =>
    model.requests.some(request => kindOf(request) === 'sections'),
  )
  const operations = await until('tokens of all operations to be counted', async () => {
    const rows = await service.database.workspace(
      workspaceId,
      tx => tx<{ operation: string }[]>`
        select distinct usage.operation
        from core.usage as usage
        where usage.workspace_id = ${workspaceId} and usage.metric = 'tokens' and usage.output > 0`,
    )
    return rows.length >= 3 ? rows.map(({ operation }) => operation).toSorted() : undefined
  })
  expect(operations).toEqual(['enrichment', 'query', 'writing'])
  const kinds = new Set(model.requests.map(kindOf))
  expect([...kinds].toSorted()).toEqual(Object.keys(REPLIES).toSorted())
})
