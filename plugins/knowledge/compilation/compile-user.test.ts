import { describe, expect, test } from 'bun:test'
import { STATEMENTS_MAX } from '../document/compose.ts'
import { EVERY_CATEGORY, findChanges } from '../queries/changes.ts'
import { knowledgeWorld, runCompile } from '../world.test-support.ts'
import { compileSoon } from './schedule.ts'

describe('a compilation', () => {
  test('writes one document for each changed category, and one event for all of them', async () => {
    const { say, compile, entries, published, workspaceId } = await knowledgeWorld()
    say('Ada likes tea.')
    say('Ada works at Acme.', { categories: ['work_context', 'personal'] })
    say('Ada speaks Greek.', { categories: ['untouched'] })
    await compile('ada', 'preferences', 'work_context')
    const made = await entries('ada')
    expect([...made.keys()].toSorted()).toEqual(['preferences', 'work_context'])
    expect(made.get('preferences').version).toBe(1)
    expect(published).toEqual([
      {
        kind: 'knowledge.updated',
        workspaceId,
        subjectId: null,
        userId: 'ada',
        data: {
          user_id: 'ada',
          categories: expect.arrayContaining([
            { id: made.get('preferences').id, category: 'preferences', version: 1 },
            { id: made.get('work_context').id, category: 'work_context', version: 1 },
          ]),
        },
      },
    ])
    expect(JSON.stringify(published)).not.toContain('tea')
  })

  test('leaves categories to the next job once it has as many statements as a document is made of', async () => {
    const { say, compile, entries, enqueued, scope, workspaceId } = await knowledgeWorld()
    for (let n = 0; n < STATEMENTS_MAX; n++) say(`Ada likes number ${n}.`, { categories: ['a'] })
    say('Ada speaks Greek.', { categories: ['b'] })
    await compile('ada', 'a', 'b')
    expect([...(await entries('ada')).keys()]).toEqual(['a'])
    expect(enqueued.at(-1)).toMatchObject({ key: `knowledge:compile:${workspaceId}:ada`, inMs: 0 })
    await runCompile(scope, workspaceId, 'ada')
    expect([...(await entries('ada')).keys()].toSorted()).toEqual(['a', 'b'])
  }, 60_000)

  test('writes what is stated in its transaction, though it was put in order before', async () => {
    const world = await knowledgeWorld()
    world.say('Ada likes tea.')
    const meanwhile = <T>(piece: () => Promise<T>) => {
      world.say('Ada likes chess.')
      return piece()
    }
    const scope = { ...world.scope, background: { run: meanwhile } }
    await world.scope.database.workspace(world.workspaceId, tx =>
      compileSoon(tx, scope, world.workspaceId, 'ada', ['preferences']),
    )
    await runCompile(scope, world.workspaceId, 'ada')
    expect(await world.content('ada', 'preferences')).toContain('chess')
  })

  test('that changes nothing writes nothing: same version, same time, no event', async () => {
    const { say, compile, entries, published } = await knowledgeWorld()
    say('Ada likes tea.')
    await compile('ada', 'preferences')
    const before = (await entries('ada')).get('preferences')
    await compile('ada', 'preferences')
    expect((await entries('ada')).get('preferences')).toEqual(before)
    expect(published).toHaveLength(1)
  })

  test('grows the version by one when statements come, change or go', async () => {
    const { say, compile, entries, statements } = await knowledgeWorld()
    const tea = say('Ada likes tea.')
    await compile('ada', 'preferences')
    say('Ada likes jazz.')
    await compile('ada', 'preferences')
    statements.splice(statements.indexOf(tea), 1)
    await compile('ada', 'preferences')
    const entry = (await entries('ada')).get('preferences')
    expect([entry.version, entry.content.includes('tea')]).toEqual([3, false])
    expect(entry.updated_at > entry.created_at).toBe(true)
  })

  test('deletes an entry without any statement left, and tells so', async () => {
    const { say, compile, entries, statements, published } = await knowledgeWorld()
    say('Ada likes tea.')
    await compile('ada', 'preferences')
    const { id } = (await entries('ada')).get('preferences')
    statements.length = 0
    await compile('ada', 'preferences')
    expect((await entries('ada')).size).toBe(0)
    expect(published.at(-1)?.data).toEqual({
      user_id: 'ada',
      categories: [{ id, category: 'preferences', version: 2, deleted: true }],
    })
  })

  test('leaves out what memories say that are gone by then', async () => {
    const { say, compile, content, hidden } = await knowledgeWorld()
    hidden.add(say('Ada likes tea.').memoryId)
    say('Ada likes jazz.')
    await compile('ada', 'preferences')
    expect(await content('ada', 'preferences')).toMatch(/^# Preferences\n\n- Ada likes jazz\. <!--.*-->\n$/)
  })

  test('of everything finds the categories by itself, eight at a time', async () => {
    const { say, compile, entries, enqueued, scope, workspaceId } = await knowledgeWorld()
    for (let n = 0; n < 11; n++) say(`Fact ${n}.`, { categories: [`topic ${n}`] })
    await compile('ada', EVERY_CATEGORY)
    expect((await entries('ada')).size).toBe(8)
    expect(enqueued.at(-1)).toEqual(expect.objectContaining({ task: 'knowledge:compile' }))
    const left = await scope.database.workspace(workspaceId, tx => findChanges(tx, workspaceId, 'ada', 100))
    expect(left).toHaveLength(3)
    await compile('ada')
    expect((await entries('ada')).size).toBe(11)
  })

  test('of two at once writes one after the other', async () => {
    const { say, compile, entries } = await knowledgeWorld()
    say('Ada likes tea.')
    await Promise.all([compile('ada', 'preferences'), compile('ada', 'preferences'), compile('ada', 'preferences')])
    expect((await entries('ada')).get('preferences').version).toBe(1)
  })
})
