import { beforeAll, expect, test } from 'bun:test'
import { AIMessage, HumanMessage } from '@langchain/core/messages'
import { Mneme } from '@mneme/client'
import { preparedStore, startServer } from '../../test/support/process.ts'
import { until } from '../../test/support/wait.ts'
import { MnemeChatHistory, MnemeRetriever } from './index.ts'

let mneme: Mneme

beforeAll(async () => {
  const server = await startServer(await preparedStore())
  mneme = new Mneme({ url: server.url, key: server.apiKey })
})

test('a retriever gives memories as documents, within its filters', async () => {
  const add = (memory: string, place: string) => mneme.add({ memory, user_id: 'ada', metadata: { place } })
  const stored = await add('Ada keeps bees on the roof.', 'roof')
  await mneme.waitUntilCompleted(await add('Ada keeps bees in the garden.', 'garden'))
  await mneme.waitUntilCompleted(stored)
  const retriever = new MnemeRetriever({ mneme, search: { user_id: 'ada', filter: { place: 'roof' } } })
  const documents = await retriever.invoke('Where are the bees?')
  expect(
    documents.map(({ id, pageContent, metadata }) => [id, pageContent, metadata.place, typeof metadata.score]),
  ).toEqual([[stored.id, 'Ada keeps bees on the roof.', 'roof', 'number']])
  const batches = await retriever.batch(['bees', 'roof'])
  expect(batches.map(({ length }) => length)).toEqual([1, 1])
})

test('a chat history begins with what is known, and submits each answer with its question', async () => {
  await mneme.waitUntilCompleted(await mneme.add({ memory: 'Bob lives in Porto.', user_id: 'bob' }))
  const history = new MnemeChatHistory({ mneme, user_id: 'bob', session_id: 'trip', timeoutMs: 60_000 })
  await history.addUserMessage('What is there to see in Porto? I am allergic to shellfish.')
  const [known, ...messages] = await history.getMessages()
  expect([known?.getType(), known?.text]).toEqual(['system', expect.stringContaining('Bob lives in Porto.')])
  expect(messages.map(message => message.getType())).toEqual(['human'])
  await history.addMessages([new AIMessage('The bridges.'), new HumanMessage('Thanks.')])
  const stored = await until('it is remembered', async () =>
    (await mneme.list({ user_id: 'bob' })).data.find(({ memory }) => memory.includes('shellfish')),
  )
  expect(stored.session_id).toBe('trip')
  await history.clear()
  expect(await history.getMessages()).toEqual([])
})
