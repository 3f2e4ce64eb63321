import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  FAKE_CLAUDE_KEY,
  FAKE_CLAUDE_URL,
  FakeClaude,
} from '../../../core/models/language/claude/fake-claude.test-support.ts'
import { createLanguageModel } from '../../../core/models/language/create-language-model.ts'
import { onEnd } from '../../../test/support/closing.ts'
import { editEntry } from '../compilation/edit-entry.ts'
import { entity } from '../document/document.test-support.ts'
import { resumeTask } from '../tasks/resume.ts'
import { createWriteHook } from '../withdrawal.ts'
import { type KnowledgeWorld, knowledgeWorld, runCompile } from '../world.test-support.ts'

const claude = new FakeClaude()
beforeAll(() => claude.start())
afterAll(() => claude.stop())

async function worldWithClaude(): Promise<KnowledgeWorld> {
  const nothing = () => undefined
  const language = await createLanguageModel(
    { kind: 'claude', apiKey: FAKE_CLAUDE_KEY, model: 'claude-haiku-5-5', url: FAKE_CLAUDE_URL, retryDelayMs: 1 },
    { usage: { tokens: nothing }, log: { info: nothing, warn: nothing, error: nothing } },
  )
  onEnd(() => language.close())
  return knowledgeWorld({ language })
}

async function remove({ scope, workspaceId }: KnowledgeWorld, memoryId: string): Promise<void> {
  const hook = createWriteHook(scope.events)
  await scope.database.workspace(workspaceId, tx => hook.removed(tx, workspaceId, [memoryId], 'deleted'))
}

async function edit({ scope, workspaceId }: KnowledgeWorld, id: string, content: string): Promise<void> {
  const entry = { id, userId: 'user-7', category: 'preferences' }
  const change = await scope.database.workspace(workspaceId, tx =>
    editEntry(tx, scope, workspaceId, entry, { content, caller: 'nobody' }),
  )
  expect(change).toMatchObject({ id })
}

async function kept({ scope, workspaceId }: KnowledgeWorld): Promise<string> {
  const rows = await scope.database.workspace(
    workspaceId,
    tx => tx`select entry.* from knowledge.entry where entry.workspace_id = ${workspaceId}`,
  )
  return JSON.stringify(rows)
}

const prose = (...sections: readonly (readonly [string | null, ...(readonly [string, ...number[]])[]])[]) => ({
  sections: sections.map(([heading, ...sentences]) => ({
    heading,
    sentences: sentences.map(([text, ...from]) => ({ text, from })),
  })),
})

test('a name that another memory tells is in no sentence, for it would outlive that memory', async () => {
  const world = await worldWithClaude()
  world.entities.push(entity('Noor Haddad', { isUser: true, type: 'PERSON' }))
  world.say('I work at Acme.')
  world.say('I like green tea.')
  claude.respond(() => prose([null, ['Noor Haddad works at Acme and likes green tea.', 0, 1]]))
  await world.compile('user-7', 'preferences')
  expect(claude.requests[0]?.messages[0]?.content).not.toContain('Noor')
  expect(await kept(world)).not.toContain('Noor')
  expect(await world.content('user-7', 'preferences')).toContain('- The user likes green tea.')
})

test('a name is in the sentences whose statements have it, and goes with them', async () => {
  const world = await worldWithClaude()
  const named = world.say('My name is Noor Haddad.')
  world.say('I work at Acme.')
  world.say('I like green tea.')
  claude.respond(() =>
    prose([null, ['The user is Noor Haddad and works at Acme.', 1, 2], ['The user likes green tea.', 0]]),
  )
  await world.compile('user-7', 'preferences')
  expect(await world.content('user-7', 'preferences')).toContain('The user is Noor Haddad and works at Acme.')
  await remove(world, named.memoryId)
  const left = await kept(world)
  expect([left.includes('Noor'), left.includes('green tea')]).toEqual([false, true])
})

test('a heading goes with the statement that it was made of', async () => {
  const world = await worldWithClaude()
  const secret = world.say('I take Zolpidem.')
  world.say('I sleep badly.')
  world.say('I like green tea.')
  claude.respond(() =>
    prose(
      ['Tea', ['The user likes green tea.', 0]],
      ['Sleep and Zolpidem', ['The user takes Zolpidem.', 2], ['The user sleeps badly.', 1]],
    ),
  )
  await world.compile('user-7', 'preferences')
  expect(await world.content('user-7', 'preferences')).toContain('## Sleep and Zolpidem')
  await remove(world, secret.memoryId)
  expect(await kept(world)).not.toContain('Zolpidem')
  const content = await world.content('user-7', 'preferences')
  expect(content?.indexOf('sleeps badly')).toBeLessThan(content?.indexOf('## Tea') ?? 0)
})

test('a heading has no name from the statements of another section', async () => {
  const world = await worldWithClaude()
  world.say('I take Zolpidem.')
  world.say('I like green tea.')
  claude.respond(() =>
    prose(['Sleep', ['The user takes Zolpidem.', 1]], ['Tea for Zolpidem', ['The user likes green tea.', 0]]),
  )
  await world.compile('user-7', 'preferences')
  const content = await world.content('user-7', 'preferences')
  expect([content?.includes('## Sleep'), content?.includes('## Tea')]).toEqual([true, false])
})

test('what is deleted while Claude writes is not in what it wrote', async () => {
  const world = await worldWithClaude()
  const secret = world.say('I take Zolpidem.')
  world.say('I work at Acme.')
  world.say('I like green tea.')
  claude.respond(async () => {
    world.hidden.add(secret.memoryId)
    await remove(world, secret.memoryId)
    return prose([null, ['The user takes Zolpidem and works at Acme.', 1, 2], ['The user likes green tea.', 0]])
  })
  await world.compile('user-7', 'preferences')
  const left = await kept(world)
  expect([left.includes('Zolpidem'), left.includes('green tea')]).toEqual([false, true])
})

test('an edit while Claude writes stands, and the rest is written once more', async () => {
  const world = await worldWithClaude()
  world.say('I work at Acme.')
  world.say('I like green tea.')
  claude.respond(() => prose([null, ['The user works at Acme and likes green tea.', 0, 1]]))
  await world.compile('user-7', 'preferences')
  world.say('I sleep badly.')
  const { id, content } = (await world.entries('user-7')).get('preferences')
  const sentences = prose([null, ['The user works at Acme and likes green tea.', 1, 2], ['The user sleeps badly.', 0]])
  claude.respond(async (_, attempt) => {
    if (attempt === 1) await edit(world, id, `${content}\nWritten by hand.\n`)
    return sentences
  })
  await world.compile('user-7', 'preferences')
  expect(await world.content('user-7', 'preferences')).toContain('Written by hand.')
  const { scope, workspaceId } = world
  await resumeTask.run({
    payload: {} as never,
    scope,
    attempt: 1,
    maxAttempts: 5,
    signal: AbortSignal.timeout(30_000),
  })
  await runCompile(scope, workspaceId, 'user-7')
  const after = await world.content('user-7', 'preferences')
  expect([after?.includes('Written by hand.'), after?.includes('The user sleeps badly.')]).toEqual([true, true])
})
