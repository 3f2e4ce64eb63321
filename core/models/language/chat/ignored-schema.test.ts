import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { createLanguageModel } from '../create-language-model.ts'
import { question, rejection, Witness } from '../language-model.conformance.ts'
import type { OpenLanguageModel } from '../language-model.ts'
import { FAKE_CHAT_SETTINGS, FakeChat, failure, type ServerKind } from './fake-chat.test-support.ts'

const server = new FakeChat()
const opened: OpenLanguageModel[] = []
const FACTS = { facts: [{ subject: 'Ada', confidence: 0.9 }] }
beforeAll(() => server.start())
afterEach(async () => {
  await Promise.all(opened.splice(0).map(model => model.close()))
  server.kind = 'schema'
})
afterAll(() => server.stop())

async function open() {
  const witness = new Witness()
  const model = await createLanguageModel(FAKE_CHAT_SETTINGS, witness)
  opened.push(model)
  return { model, witness }
}

describe('what a server is asked', () => {
  test('is a tool call once the server passed over the schema, and goes on so where that works', async () => {
    const { model, witness } = await open()
    server.respond(request => (request.tools ? FACTS : 'Ada is well.'))
    for (let i = 0; i < 3; i++) expect((await model.generate(question())).value).toEqual(FACTS)
    expect(server.requests.map(({ tools }) => tools !== undefined)).toEqual([false, true, true, true])
    expect(server.requests[1]?.messages).toHaveLength(4)
    expect(witness.tokensCounted).toHaveLength(4)
  })

  test.each<[string, ServerKind, unknown]>([
    ['is passed over too', 'schema', 'Ada is well.'],
    ['gives another form too', 'schema', { people: ['Ada'] }],
    ['is refused', 'no tools', FACTS],
  ])('stays with the schema where the tool %s', async (_, kind, second) => {
    server.kind = kind
    const { model } = await open()
    const replies = ['Ada is well.', second]
    server.respond(() => replies.shift() ?? FACTS)
    await rejection(model.generate(question()))
    for (let i = 0; i < 2; i++) expect((await model.generate(question())).value).toEqual(FACTS)
    expect(server.requests.filter(({ tools }) => tools)).toHaveLength(1)
    expect(server.requests.slice(-2).every(({ response_format }) => response_format)).toBe(true)
  })

  test('is a tool call later when the server was away at the first one', async () => {
    const { model } = await open()
    server.respond((request, attempt) => {
      if (!request.tools) return 'Ada is well.'
      return attempt === 2 ? failure(503, 'overloaded', request) : FACTS
    })
    expect((await model.generate(question())).value).toEqual(FACTS)
    expect(server.requests.map(({ tools }) => tools !== undefined)).toEqual([false, true, true])
  })
})
