import { beforeAll, expect, test } from 'bun:test'
import { Agent, type ToolsInput } from '@mastra/core/agent'
import { RequestContext } from '@mastra/core/request-context'
import { Mneme } from '@mneme/client'
import { preparedStore, startServer } from '../../test/support/process.ts'
import { until } from '../../test/support/wait.ts'
import { memoryTools } from '../ai-sdk/index.ts'
import { fakeModels } from '../fake-models.test-support.ts'
import { MnemeProcessor } from './index.ts'

let mneme: Mneme
let models: Awaited<ReturnType<typeof fakeModels>>

beforeAll(async () => {
  const server = await startServer(await preparedStore())
  mneme = new Mneme({ url: server.url, key: server.apiKey })
  models = await fakeModels('Try the market hall.')
})

const common = () => ({
  id: 'guide',
  name: 'Guide',
  instructions: 'You know every restaurant.',
  model: { id: 'openai/fake', url: `${models.origin}/v1`, apiKey: 'k' } as const,
})

function guide(options: { readonly mneme?: Mneme; readonly onError?: (error: unknown) => void } = {}) {
  const user_id = (context?: RequestContext) => String(context?.get('user'))
  const session_id = (context?: RequestContext) => context?.get('trip') as string | undefined
  const memory = new MnemeProcessor({ mneme, user_id, session_id, timeoutMs: 60_000, ...options })
  return new Agent({ ...common(), inputProcessors: [memory], outputProcessors: [memory] })
}

const as = (user: string, trip = 'porto') => ({
  requestContext: new RequestContext([
    ['user', user],
    ['trip', trip],
  ]),
})
const remembered = (user_id: string, text: string) =>
  until('it is remembered', async () =>
    (await mneme.list({ user_id })).data.find(({ memory }) => memory.includes(text)),
  )

test('one agent knows each of its users, and keeps what they say', async () => {
  await mneme.waitUntilCompleted(await mneme.add({ memory: 'Ada lives in Porto.', user_id: 'ada' }))
  const agent = guide()
  const { text } = await agent.generate('Where in Porto can I eat? I am allergic to shellfish.', as('ada'))
  expect(text).toBe('Try the market hall.')
  const told = models.calls.at(-1)?.body
  expect(told).toContain('Ada lives in Porto.')
  expect(told).toContain('You know every restaurant.')
  expect((await remembered('ada', 'allergic to shellfish')).session_id).toBe('porto')
  const { textStream } = await agent.stream('I moved to Oslo last week.', as('bob'))
  expect((await Array.fromAsync(textStream)).join('')).toBe('Try the market hall.')
  expect(models.calls.at(-1)?.body).not.toContain('Porto')
  await remembered('bob', 'moved to Oslo')
})

test('an agent answers also where its memory is away', async () => {
  const errors: unknown[] = []
  const away = new Mneme({ url: 'http://127.0.0.1:9', key: 'mn_live_none', retries: 0 })
  const agent = guide({ mneme: away, onError: error => errors.push(error) })
  expect((await agent.generate('Hello there, it is me.', as('ada'))).text).toBe('Try the market hall.')
  expect(errors.length).toBe(2)
})

test('its agents take the tools of the AI SDK as they are', async () => {
  await mneme.waitUntilCompleted(await mneme.add({ memory: 'Cy plays the oboe.', user_id: 'cy' }))
  const agent = new Agent({ ...common(), tools: memoryTools({ mneme, user_id: 'cy' }) as ToolsInput })
  await agent.generate('Which instrument does Cy play?')
  expect(models.calls.at(-1)?.body).toContain('Cy plays the oboe.')
})
