import { beforeAll, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { Mneme } from '@mneme/client'
import OpenAI from 'openai'
import { preparedStore, startServer } from '../../test/support/process.ts'
import { until } from '../../test/support/wait.ts'
import { fakeModels } from '../fake-models.test-support.ts'
import { withMemory } from './index.ts'

let mneme: Mneme
let models: Awaited<ReturnType<typeof fakeModels>>

beforeAll(async () => {
  const server = await startServer(await preparedStore())
  mneme = new Mneme({ url: server.url, key: server.apiKey })
  models = await fakeModels('Try the market hall.')
})

const openaiOf = (user_id: string) =>
  withMemory(new OpenAI({ baseURL: `${models.origin}/v1`, apiKey: 'k' }), { mneme, user_id, timeoutMs: 60_000 })
const anthropicOf = (user_id: string) =>
  withMemory(new Anthropic({ baseURL: models.origin, apiKey: 'k' }), { mneme, user_id, timeoutMs: 60_000 })

/** Makes a user of whom one thing is known. */
async function knownUser(user_id: string): Promise<string> {
  await mneme.waitUntilCompleted(await mneme.add({ memory: `${user_id} lives in Porto.`, user_id }))
  return user_id
}

const remembered = (user_id: string, text: string) =>
  until('it is remembered', async () =>
    (await mneme.list({ user_id })).data.find(({ memory }) => memory.includes(text)),
  )

const said = (n: number) => `I have visited city number ${n} of Portugal.`

test('chat completions of OpenAI', async () => {
  const openai = openaiOf(await knownUser('ada'))
  const messages = [{ role: 'user' as const, content: said(1) }]
  const whole = await openai.chat.completions.create({ model: 'fake', messages })
  expect(whole.choices[0]?.message.content).toBe('Try the market hall.')
  const told = JSON.parse(models.calls.at(-1)?.body ?? '').messages
  expect(told).toEqual([{ role: 'system', content: expect.stringContaining('ada lives in Porto.') }, ...messages])
  await remembered('ada', said(1))
  const stream = await openai.chat.completions.create({
    model: 'fake',
    stream: true,
    messages: [{ role: 'user', content: said(2) }],
  })
  const parts = await Array.fromAsync(stream)
  expect(parts.map(part => part.choices[0]?.delta.content ?? '').join('')).toBe('Try the market hall.')
  await remembered('ada', said(2))
})

test('responses of OpenAI', async () => {
  const openai = openaiOf(await knownUser('bob'))
  const whole = await openai.responses.create({ model: 'fake', instructions: 'Be brief.', input: said(3) })
  expect(whole.output_text).toBe('Try the market hall.')
  const { instructions, input } = JSON.parse(models.calls.at(-1)?.body ?? '')
  expect([instructions, input]).toEqual([expect.stringMatching(/^Be brief\.\n\n[\s\S]*bob lives in Porto\./), said(3)])
  await remembered('bob', said(3))
  const stream = await openai.responses.create({
    model: 'fake',
    stream: true,
    input: [{ role: 'user', content: said(4) }],
  })
  expect(await Array.fromAsync(stream)).toHaveLength(2)
  await remembered('bob', said(4))
})

test('messages of Anthropic, behind the blocks that the caller has', async () => {
  const anthropic = anthropicOf(await knownUser('eve'))
  const request = { model: 'fake', max_tokens: 100 }
  const whole = await anthropic.messages.create({
    ...request,
    system: 'Be brief.',
    messages: [{ role: 'user', content: said(5) }],
  })
  expect(whole.content).toEqual([expect.objectContaining({ text: 'Try the market hall.' })])
  expect(JSON.parse(models.calls.at(-1)?.body ?? '').system).toEqual([
    { type: 'text', text: 'Be brief.' },
    { type: 'text', text: expect.stringContaining('eve lives in Porto.') },
  ])
  await remembered('eve', said(5))
  const content = [{ type: 'text' as const, text: said(6) }]
  const stream = await anthropic.messages.create({ ...request, stream: true, messages: [{ role: 'user', content }] })
  expect(await Array.fromAsync(stream)).toHaveLength(2)
  await remembered('eve', said(6))
})

test('everything else of a client stays as it is, and nobody is told of another user', async () => {
  const openai = openaiOf('mallory')
  expect([openai.baseURL, typeof openai.models.list]).toEqual([`${models.origin}/v1`, 'function'])
  await openai.chat.completions.create({ model: 'fake', messages: [{ role: 'user', content: 'Who lives in Porto?' }] })
  expect(models.calls.at(-1)?.body).not.toContain('lives in Porto.')
  const faults: unknown[] = []
  const away = new Mneme({ url: 'http://127.0.0.1:9', key: 'k', retries: 0 })
  const alone = withMemory(new OpenAI({ baseURL: `${models.origin}/v1`, apiKey: 'k' }), {
    mneme: away,
    user_id: 'ada',
    onError: error => faults.push(error),
  })
  expect((await alone.responses.create({ model: 'fake', input: 'Hello!' })).output_text).toBe('Try the market hall.')
  expect(faults).toHaveLength(2)
})
