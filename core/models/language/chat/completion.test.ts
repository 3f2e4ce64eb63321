import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { listOf } from '../../../coercion.ts'
import { createLanguageModel } from '../create-language-model.ts'
import { question, rejection, Witness } from '../language-model.conformance.ts'
import { LanguageModelOutputError, type OpenLanguageModel } from '../language-model.ts'
import { chat, FAKE_CHAT_KEY, FAKE_CHAT_MODEL, FAKE_CHAT_URL, FakeChat } from './fake-chat.test-support.ts'

const server = new FakeChat()
const opened: OpenLanguageModel[] = []
const FACTS = { facts: [{ subject: 'Ada', confidence: 0.9 }] }
const WRITTEN = JSON.stringify(FACTS)
beforeAll(() => server.start())
afterEach(async () => {
  await Promise.all(opened.splice(0).map(model => model.close()))
})
afterAll(() => server.stop())

const ALL_TOKENS = { prompt_tokens: 100, completion_tokens: question().maxTokens }

function cutCall(args: string): Response {
  return chat(
    { content: null, tool_calls: [{ function: { name: 'answer', arguments: args } }] },
    'tool_calls',
    ALL_TOKENS,
  )
}

async function open() {
  const witness = new Witness()
  const model = await createLanguageModel(
    { kind: 'http', url: FAKE_CHAT_URL, model: FAKE_CHAT_MODEL, apiKey: FAKE_CHAT_KEY },
    witness,
  )
  opened.push(model)
  return { model, witness }
}

describe('what a model writes is read', () => {
  const call = (args: unknown) =>
    chat({ content: null, tool_calls: [{ function: { name: 'answer', arguments: args } }] }, 'stop')
  test.each<[string, unknown]>([
    ['in a fence', `\`\`\`json\n${WRITTEN}\n\`\`\``],
    ['between sentences', `Sure! Here {as asked} it is: ${WRITTEN} I hope that helps.`],
    ['after its thoughts', `<think>First {"facts": [ … no.</think>\n${WRITTEN}`],
    ['after a draft', `Draft: {"facts":[]} Better: ${WRITTEN}`],
    ['as JSON in a text', JSON.stringify(WRITTEN)],
    ['in an envelope', JSON.stringify({ name: 'answer', arguments: FACTS })],
    ['in an envelope of text', JSON.stringify({ name: 'answer', parameters: WRITTEN })],
    ['as a call in the content', `<tool_call>\n{"name": "answer", "arguments": ${WRITTEN}}\n</tool_call>`],
    ['as a list of calls', JSON.stringify([{ name: 'answer', arguments: FACTS }])],
    ['as the list alone', JSON.stringify(FACTS.facts)],
    ['as one item in place of the list', JSON.stringify({ facts: FACTS.facts[0] })],
    ['with numbers as texts', '{"facts":[{"subject":"Ada","confidence":"0.9"}]}'],
    ['as arguments that are an object', call(FACTS)],
    ['as arguments that are a text twice', call(JSON.stringify(WRITTEN))],
    ['as a call of the older kind', chat({ content: null, function_call: { arguments: WRITTEN } }, 'function_call')],
    ['in parts', chat({ content: [{ type: 'thinking' }, { type: 'text', text: WRITTEN }] }, 'stop')],
    ['among its thoughts alone', chat({ content: '', reasoning_content: WRITTEN }, 'stop')],
    ['and whole after thoughts', chat({ content: `<think>{"facts":[]}?</think>\n${WRITTEN}\n` }, 'length')],
    ['and whole in a fence that stays open', chat({ content: `\`\`\`json\n${WRITTEN}\n` }, 'length')],
    ['and whole, though it never came to an end', chat({ content: `${WRITTEN}\n\n\n` }, 'length')],
  ])('%s', async (_, reply) => {
    const { model } = await open()
    server.respond(() => reply)
    expect((await model.generate(question())).value).toEqual(FACTS)
    expect(server.requests).toHaveLength(1)
  })

  test.each<[string, unknown, string]>([
    ['nothing', chat({ content: '' }, 'stop'), 'malformed'],
    ['prose', 'Ada is well.', 'malformed'],
    ['the schema itself', JSON.stringify(question().schema), 'malformed'],
    ['fields of its own', '{"people":["Ada"]}', 'malformed'],
    ['a part of an object', '{"facts":[{"subject":"Ada","confidence":1},{"sub', 'malformed'],
    ['a part of an object for want of tokens', chat({ content: '{"facts":[{"subject":"A' }, 'length'), 'truncated'],
    ['thoughts alone for want of tokens', chat({ content: null, reasoning: 'Hm, {"facts":' }, 'length'), 'truncated'],
    ['a draft in thoughts that did not end', chat({ content: '<think>{"facts":[]} … no, Ada' }, 'length'), 'truncated'],
    ['a draft in thoughts without a tag', chat({ content: 'Maybe {"facts":[]}, but Ada' }, 'length'), 'truncated'],
    ['a draft before second thoughts', chat({ content: '{"facts":[]} Wait, Ada' }, 'length'), 'truncated'],
    ['a draft in thoughts apart', chat({ content: '', reasoning_content: '{"facts":[]}' }, 'length'), 'truncated'],
    ['a part for want of context', chat({ content: '{"facts":[{"subject":"A' }, 'model_length'), 'truncated'],
    ['a part that a gateway passed on', chat({ content: '{"facts":[{"subject":"A' }, 'max_tokens'), 'truncated'],
    ['a part that took all tokens', chat({ content: '{"facts":[{"subject":"A' }, 'stop', ALL_TOKENS), 'truncated'],
    ['a draft that took all tokens', chat({ content: '{"facts":[]} Wait, Ada' }, 'stop', ALL_TOKENS), 'truncated'],
    ['a part of a call that took all tokens', cutCall('{"facts":[{"subject":"A'), 'truncated'],
    ['a refusal by a filter', chat({ content: '' }, 'content_filter'), 'refused'],
  ])('as no completion where it is %s', async (_, reply, reason) => {
    const { model } = await open()
    server.respond(() => (reply instanceof Response ? reply.clone() : reply))
    const error = await rejection(model.generate(question()))
    expect(error).toBeInstanceOf(LanguageModelOutputError)
    expect(error).toHaveProperty('reason', reason)
    if (reason === 'truncated') expect(server.requests).toHaveLength(1)
  })

  test('with nothing found where everything may be left out, and never so where it was cut off', async () => {
    const schema = Type.Object({ facts: listOf(Type.Object({ subject: Type.String() })) })
    const { model } = await open()
    server.respond(() => '{}')
    expect((await model.generate({ ...question(), schema })).value).toEqual({ facts: [] })
    server.respond(() => '{"facts":[{"subject":"Ada"},{"subject":"B')
    expect(await rejection(model.generate({ ...question(), schema }))).toHaveProperty('reason', 'malformed')
  })

  test('with choices in another spelling, and null for what may be left out', async () => {
    const relation = Type.Union([Type.Literal('WORKS_AT'), Type.Literal('KNOWS')])
    const schema = Type.Object({ relation, since: Type.Optional(Type.String()) })
    const { model } = await open()
    server.respond(() => ({ relation: 'works at', since: null }))
    expect((await model.generate({ ...question(), schema })).value).toEqual({ relation: 'WORKS_AT' })
  })

  test('with its tokens estimated where the server does not count', async () => {
    const { model, witness } = await open()
    server.respond(() => chat({ content: WRITTEN }, 'stop'))
    await model.generate(question())
    expect(witness.tokensCounted).toHaveLength(1)
    expect(witness.tokensCounted[0]?.input).toBeGreaterThan(100)
    expect(witness.tokensCounted[0]?.output).toBe(Math.ceil(WRITTEN.length / 4))
  })
})
