import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  FAKE_CLAUDE_KEY,
  FAKE_CLAUDE_URL,
  FakeClaude,
  failure,
} from '../../../core/models/language/claude/fake-claude.test-support.ts'
import { createLanguageModel } from '../../../core/models/language/create-language-model.ts'
import { onEnd } from '../../../test/support/closing.ts'
import { editEntry } from '../compilation/edit-entry.ts'
import { type KnowledgeWorld, knowledgeWorld, runCompile } from '../world.test-support.ts'

const claude = new FakeClaude()
beforeAll(() => claude.start())
afterAll(() => claude.stop())

async function adaWithClaude(): Promise<KnowledgeWorld> {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const language = await createLanguageModel(
    { kind: 'claude', apiKey: FAKE_CLAUDE_KEY, model: 'claude-haiku-5-5', url: FAKE_CLAUDE_URL, retryDelayMs: 1 },
    { usage: { tokens: () => undefined }, log },
  )
  onEnd(() => language.close())
  const world = await knowledgeWorld({ language })
  for (const text of ['I work at Acme.', 'I like green tea.', 'I have lived in Lisbon since 2021.']) world.say(text)
  return world
}

async function edit({ scope, workspaceId, entries }: KnowledgeWorld, change: (content: string) => string) {
  const { id, content } = (await entries('ada')).get('preferences')
  const entry = { id, userId: 'ada', category: 'preferences' }
  const edited = { content: change(content), caller: 'ada' }
  await scope.database.workspace(workspaceId, tx => editEntry(tx, scope, workspaceId, entry, edited))
}

async function due({ scope, workspaceId }: KnowledgeWorld): Promise<Date | null | undefined> {
  const [row] = await scope.database.workspace(
    workspaceId,
    tx => tx<{ improve_at: Date | null }[]>`
      select entry.improve_at from knowledge.entry where entry.workspace_id = ${workspaceId}`,
  )
  return row?.improve_at
}

const withoutTea = (content: string) => content.replace(/^.*green tea.*\n/m, '')

describe('prose that a document waits for', () => {
  test('is waited for after an edit too, and at once where that changed the statements', async () => {
    const world = await adaWithClaude()
    claude.respond(request => failure(529, 'overloaded_error', request, { 'retry-after': '1000' }))
    await world.compile('ada', 'preferences')
    const awaited = await due(world)
    expect(awaited?.getTime()).toBeGreaterThan(Date.now())
    await edit(world, content => `${content}\nBy hand.\n`)
    expect(await due(world)).toEqual(awaited ?? null)
    await edit(world, withoutTea)
    expect((await due(world))?.getTime()).toBeLessThanOrEqual(Date.now())
  })

  test('is asked for again where an edit left other statements than a model could not write', async () => {
    const world = await adaWithClaude()
    claude.respond(() => ({ sections: [] }))
    await world.compile('ada', 'preferences')
    expect(await due(world)).toBeNull()
    const asked = claude.requests.length
    await edit(world, withoutTea)
    await world.compile('ada', 'preferences')
    expect(claude.requests.length).toBeGreaterThan(asked)
    await edit(world, content => `${content}\nBy hand.\n`)
    await runCompile(world.scope, world.workspaceId, 'ada')
    expect(await due(world)).toBeNull()
  })

  test('is not asked for where no model is configured', async () => {
    const world = await knowledgeWorld()
    for (const text of ['I work at Acme.', 'I like green tea.']) world.say(text)
    await world.compile('ada', 'preferences')
    await edit(world, withoutTea)
    expect(await due(world)).toBeNull()
  })
})
