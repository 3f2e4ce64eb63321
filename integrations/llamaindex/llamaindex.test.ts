import { beforeAll, expect, test } from 'bun:test'
import { createMemory } from '@llamaindex/core/memory'
import { Mneme } from '@mneme/client'
import { preparedStore, startServer } from '../../test/support/process.ts'
import { until } from '../../test/support/wait.ts'
import { MnemeMemoryBlock } from './index.ts'

let mneme: Mneme

beforeAll(async () => {
  const server = await startServer(await preparedStore())
  mneme = new Mneme({ url: server.url, key: server.apiKey })
})

test('a conversation begins with what is known, and what leaves it is remembered with its answers', async () => {
  await mneme.waitUntilCompleted(await mneme.add({ memory: 'Bob lives in Porto.', user_id: 'bob' }))
  const block = new MnemeMemoryBlock({ mneme, user_id: 'bob', session_id: 'trip', timeoutMs: 60_000 })
  const memory = createMemory({ memoryBlocks: [block] })
  await memory.add({ role: 'user', content: 'What is there to see in Porto? I am allergic to shellfish.' })
  const [known, ...messages] = await memory.getLLM()
  expect([known?.role, String(known?.content)]).toEqual(['memory', expect.stringContaining('Bob lives in Porto.')])
  expect(messages.map(({ role }) => role)).toEqual(['user'])
  await memory.add({ role: 'assistant', content: 'The bridges.' })
  await memory.add({ role: 'user', content: 'I also play the cello.' })
  await block.put(await memory.get())
  const texts = await until('both are remembered', async () => {
    const { data } = await mneme.list({ user_id: 'bob', page_size: 50 })
    const said = data.map(({ memory: text }) => text).join('\n')
    return said.includes('shellfish') && said.includes('cello') ? data : undefined
  })
  expect(texts.filter(({ session_id }) => session_id === 'trip').length).toBeGreaterThan(1)
})

test('a conversation about nothing that is known begins with itself', async () => {
  const memory = createMemory({ memoryBlocks: [new MnemeMemoryBlock({ mneme, user_id: 'nobody' })] })
  await memory.add({ role: 'user', content: 'Hello?' })
  expect((await memory.getLLM()).map(({ role }) => role)).toEqual(['user'])
})
