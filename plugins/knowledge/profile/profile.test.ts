import { expect, test } from 'bun:test'
import { entity } from '../document/document.test-support.ts'
import { type KnowledgeWorld, knowledgeWorld } from '../world.test-support.ts'
import { createProfileSource } from './source.ts'

const sourceOf = ({ scope }: KnowledgeWorld) => createProfileSource('hasKnowledgeGraph', scope.wiring)
const profileOf = (world: KnowledgeWorld) => sourceOf(world).profile(world.tenant, 'ada')

test('a profile is there after the first compilation, changes with what is known, and goes with it', async () => {
  const world = await knowledgeWorld()
  expect(await profileOf(world)).toBeNull()
  world.say('I live in Lisbon.', { categories: ['personal'] })
  world.entities.push(entity('Lisbon', { type: 'PLACE' }))
  await world.compile('ada', 'personal')
  const first = await profileOf(world)
  expect(first).toEqual({
    userId: 'ada',
    workspaceId: world.workspaceId,
    summary: expect.stringMatching(/^\d{4}-\d\d-\d\d: The user lives in Lisbon\.$/),
    topics: ['Lisbon', 'personal'],
    entityCount: 1,
    extractedAt: expect.stringMatching(/Z$/),
  })
  await world.compile('ada', 'personal')
  expect(await profileOf(world)).toEqual(first)
  world.say('I like tea.')
  await world.compile('ada', 'preferences')
  expect((await profileOf(world))?.summary).toMatch(
    /: The user lives in Lisbon\. \d{4}-\d\d-\d\d: The user likes tea\.$/,
  )
  world.statements.length = 0
  await world.compile('ada', 'preferences', 'personal')
  expect(await profileOf(world)).toBeNull()
})

test('without the plan feature there is none', async () => {
  const world = await knowledgeWorld()
  world.say('I live in Lisbon.')
  await world.compile('ada', 'preferences')
  const source = sourceOf(world)
  expect(await source.profile(world.tenant, 'ada')).toEqual(expect.objectContaining({ userId: 'ada' }))
  const poor = { ...world.tenant, workspace: { ...world.tenant.workspace, features: new Set<string>() } }
  expect(await source.profile(poor, 'ada')).toBeNull()
})
