import { beforeAll, expect, test } from 'bun:test'
import { createOpenAI } from '@ai-sdk/openai'
import { Mneme } from '@mneme/client'
import { generateText, stepCountIs, streamText, wrapLanguageModel } from 'ai'
import { preparedStore, startServer } from '../../test/support/process.ts'
import { until } from '../../test/support/wait.ts'
import { fakeModels } from '../fake-models.test-support.ts'
import { memoryMiddleware, memoryTools } from './index.ts'

let mneme: Mneme
let models: Awaited<ReturnType<typeof fakeModels>>

beforeAll(async () => {
  const server = await startServer(await preparedStore())
  mneme = new Mneme({ url: server.url, key: server.apiKey })
  models = await fakeModels('Try the market hall.')
})

function modelOf(user_id: string) {
  const openai = createOpenAI({ baseURL: `${models.origin}/v1`, apiKey: 'k' })
  return wrapLanguageModel({
    model: openai.chat('fake'),
    middleware: memoryMiddleware({ mneme, user_id, timeoutMs: 60_000 }),
  })
}

const remembered = (user_id: string, text: string) =>
  until('it is remembered', async () =>
    (await mneme.list({ user_id })).data.find(({ memory }) => memory.includes(text)),
  )

test('a wrapped model is told what is known, and what the user says is kept', async () => {
  await mneme.waitUntilCompleted(await mneme.add({ memory: 'Ada lives in Porto.', user_id: 'ada' }))
  const { text } = await generateText({
    model: modelOf('ada'),
    prompt: 'Where in Porto can I eat? I am allergic to shellfish.',
  })
  expect(text).toBe('Try the market hall.')
  expect(models.calls.at(-1)?.body).toContain('Ada lives in Porto.')
  await remembered('ada', 'allergic to shellfish')
})

test('the same holds for a stream, which comes unchanged', async () => {
  const { textStream } = streamText({ model: modelOf('bob'), prompt: 'I moved to Oslo last week.' })
  expect((await Array.fromAsync(textStream)).join('')).toBe('Try the market hall.')
  await remembered('bob', 'moved to Oslo')
  expect(models.calls.at(-1)?.body).not.toContain('Porto')
})

test('tools let a model recall and remember, and a call of tools is no answer', async () => {
  await mneme.waitUntilCompleted(await mneme.add({ memory: 'Eve plays the oboe.', user_id: 'eve' }))
  const tools = memoryTools({ mneme, user_id: 'eve' })
  const result = await generateText({
    model: modelOf('eve'),
    tools,
    stopWhen: stepCountIs(3),
    prompt: 'Which instrument does Eve play?',
  })
  expect(result.steps.map(({ toolResults }) => toolResults.map(({ output }) => output))).toEqual([
    [expect.stringContaining('oboe')],
    [],
  ])
  const input = { toolCallId: 't', messages: [], context: {} }
  expect(await tools.remember.execute?.({ text: 'Eve has a sister.' }, input)).toBe('It is remembered.')
  expect(await tools.remember.execute?.({ text: 'Eve has a sister.' }, input)).toBe('It was known already.')
})

test('a model answers although its memory is away, and the fault is told', async () => {
  const faults: unknown[] = []
  const away = new Mneme({ url: 'http://127.0.0.1:9', key: 'k', retries: 0 })
  const openai = createOpenAI({ baseURL: `${models.origin}/v1`, apiKey: 'k' })
  const middleware = memoryMiddleware({ mneme: away, user_id: 'ada', onError: error => faults.push(error) })
  const { text } = await generateText({
    model: wrapLanguageModel({ model: openai.chat('fake'), middleware }),
    prompt: 'Hello!',
  })
  expect([text, faults.length]).toEqual(['Try the market hall.', 2])
})
