import { beforeAll, expect, test } from 'bun:test'
import { Mneme } from '@mneme/client'
import { Agent, MemorySession, OpenAIProvider, Runner } from '@openai/agents'
import { preparedStore, startServer } from '../../test/support/process.ts'
import { until } from '../../test/support/wait.ts'
import { fakeModels } from '../fake-models.test-support.ts'
import { agentMemory } from './index.ts'

let mneme: Mneme

beforeAll(async () => {
  const server = await startServer(await preparedStore())
  mneme = new Mneme({ url: server.url, key: server.apiKey })
})

test('an agent is told what is known, keeps its own instructions, and what is said is remembered', async () => {
  const { origin, calls } = await fakeModels('Try the market hall.')
  await mneme.waitUntilCompleted(await mneme.add({ memory: 'Bob lives in Porto.', user_id: 'bob' }))
  const runner = new Runner({
    modelProvider: new OpenAIProvider({ apiKey: 'k', baseURL: `${origin}/v1` }),
    tracingDisabled: true,
  })
  const agent = new Agent({ name: 'Guide', instructions: 'Answer in one sentence.', model: 'fake' })
  const session = new MemorySession()
  const memory = agentMemory({ mneme, user_id: 'bob', session_id: 'trip', session, timeoutMs: 60_000 })
  const question = 'Where shall I eat in Porto? I am allergic to shellfish.'
  const { finalOutput } = await runner.run(agent, question, memory)
  expect(finalOutput).toBe('Try the market hall.')
  const { instructions, input } = JSON.parse(calls[0]?.body ?? '{}')
  expect(instructions).toMatch(/^Answer in one sentence\.\n\nThis is known[\s\S]*Bob lives in Porto\./)
  expect(JSON.stringify(input)).not.toContain('Bob lives in Porto.')
  const kept = await session.getItems()
  expect(kept.map(item => ('role' in item ? item.role : ''))).toEqual(['user', 'assistant'])
  const stored = await until('it is remembered', async () =>
    (await mneme.list({ user_id: 'bob' })).data.find(({ memory: text }) => text.includes('shellfish')),
  )
  expect(stored.session_id).toBe('trip')
  await runner.run(agent, 'Thanks.', memory)
  expect(JSON.parse(calls.at(-1)?.body ?? '{}').input).toHaveLength(3)
})

test('an agent answers while its memory is away', async () => {
  const { origin } = await fakeModels('Try the market hall.')
  const faults: unknown[] = []
  const away = new Mneme({ url: 'http://127.0.0.1:1', key: 'none' })
  const runner = new Runner({
    modelProvider: new OpenAIProvider({ apiKey: 'k', baseURL: `${origin}/v1` }),
    tracingDisabled: true,
  })
  const agent = new Agent({ name: 'Guide', model: 'fake' })
  const memory = agentMemory({ mneme: away, user_id: 'bob', onError: fault => faults.push(fault) })
  expect((await runner.run(agent, 'Where shall I eat?', memory)).finalOutput).toBe('Try the market hall.')
  expect(faults).toHaveLength(2)
})
