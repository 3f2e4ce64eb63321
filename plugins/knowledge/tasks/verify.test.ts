import { expect, test } from 'bun:test'
import { knowledgeWorld } from '../world.test-support.ts'
import { verifyTask } from './verify.ts'

test('what memories said that went unnoticed is taken out, and what others said stays as it is', async () => {
  const world = await knowledgeWorld()
  const tea = world.say('Ada likes tea.')
  world.say('Ada likes jazz.')
  world.say('Ada plays the cello.', { categories: ['personal'] })
  await world.compile('ada', 'preferences', 'personal')
  const before = await world.entries('ada')
  world.hidden.add(tea.memoryId)
  await verifyTask.run({
    payload: {} as never,
    scope: world.scope,
    attempt: 1,
    maxAttempts: 5,
    signal: AbortSignal.timeout(30_000),
  })
  const after = await world.entries('ada')
  expect(after.get('personal')).toEqual(before.get('personal'))
  expect(after.get('preferences').content).toMatch(/^# Preferences\n\n- Ada likes jazz\. <!--.*-->\n$/)
  expect(after.get('preferences').version).toBe(2)
})
