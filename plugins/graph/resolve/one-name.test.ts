import { describe, expect, test } from 'bun:test'
import { v7 } from 'uuid'
import type { EntityType, Extraction, RelationType } from '../contract.ts'
import { foldMarkedNames } from '../tasks/fold-marked-names.ts'
import { readWaiting } from '../tasks/read-waiting.ts'
import { likesExtractor, readingWorld } from '../tasks/world.test-support.ts'
import { edgesOf, faultsOf } from '../writing/writing.test-support.ts'

const { signal } = new AbortController()
const span = { start: 0, end: 1 }
const TYPES: Readonly<Record<string, EntityType>> = { p: 'PERSON', o: 'ORGANIZATION', l: 'PLACE', t: 'THING' }

/** "p:Oskar WORKS_AT o:Lindal", or names alone: "p:Porto, l:Porto". */
function told(text: string): Partial<Extraction> {
  const [, source, type, target] = /^(\S+) ([A-Z_]{4,}) (\S+)$/.exec(text) ?? []
  const names = source && target ? [source, target] : text.split(', ')
  const entities = names.map(name => ({
    name: name.slice(2),
    type: TYPES[name.slice(0, 1)] ?? 'THING',
    aliases: [],
    isUser: false,
    span,
    confidence: 0.8,
  }))
  if (!type) return { entities }
  const relation = { source: 0, target: 1, confidence: 0.9, span, validFrom: null, validTo: null, closes: false }
  return { entities, relations: [{ ...relation, type: type as RelationType }] }
}

async function world() {
  const { running, account, remember, scope, workspaceId } = await readingWorld(
    likesExtractor('local', ({ text }) => told(text)),
  )
  const entities = () =>
    running.database.workspace(
      workspaceId,
      tx => tx<{ id: string; type: EntityType; name: string; mentions: number }[]>`
        select
          entity.id, entity.type, entity.name,
          (
            select count(*)::integer from graph.mention
            where mention.workspace_id = ${workspaceId} and mention.entity_id = entity.id
          ) as mentions
        from graph.entity
        where entity.workspace_id = ${workspaceId}
        order by entity.name, entity.type`,
    )
  return {
    running,
    scope,
    workspaceId,
    entities,
    async say(...texts: string[]) {
      const ids: string[] = []
      for (const text of texts) {
        ids.push(await remember(text))
        await readWaiting(scope, workspaceId, signal)
      }
      return ids
    },
    forget: (id: string | undefined) => account.client.delete(`/v1/memories/${id}`),
    async shown() {
      expect(await faultsOf(running, workspaceId)).toEqual([])
      return (await entities()).map(({ type, name, mentions }) => `${type} ${name} ${mentions}`)
    },
    edges: () => edgesOf(running, workspaceId),
  }
}

const JOB = 'p:Oskar WORKS_AT o:Lindal'
const GUESS = 'p:Lindal USES_TECHNOLOGY t:MySQL'

describe('a name in several memories', () => {
  for (const texts of [
    [JOB, GUESS],
    [GUESS, JOB],
  ]) {
    test(`is one entity of the type that relationships bear out: ${texts.join('; ')}`, async () => {
      const { say, shown, edges } = await world()
      await say(...texts)
      expect(await shown()).toEqual(['ORGANIZATION Lindal 2', 'THING MySQL 1', 'PERSON Oskar 1'])
      expect(await edges()).toEqual(['Lindal USES_TECHNOLOGY MySQL', 'Oskar WORKS_AT Lindal'])
    })
  }

  test('changes its type as evidence comes and goes, and keeps its id', async () => {
    const { say, shown, forget, entities } = await world()
    await say(GUESS)
    const idOf = async () => (await entities()).find(({ name }) => name === 'Lindal')?.id
    const id = await idOf()
    const [job] = await say(JOB)
    expect(await shown()).toContain('ORGANIZATION Lindal 2')
    expect(await idOf()).toBe(id)
    await forget(job)
    expect(await shown()).toEqual(['PERSON Lindal 1', 'THING MySQL 1'])
    expect(await idOf()).toBe(id)
  })

  test('is two where somebody was born and somewhere one lives go by it, one again without that', async () => {
    const { say, shown, forget, edges } = await world()
    await say('p:Ada LIVES_IN l:Jordan', 'p:Jordan', 'l:Jordan')
    expect(await shown()).toEqual(['PERSON Ada 1', 'PLACE Jordan 3'])
    const [born] = await say('p:Jordan BORN_IN l:Oslo')
    expect(await shown()).toEqual(['PERSON Ada 1', 'PERSON Jordan 2', 'PLACE Jordan 2', 'PLACE Oslo 1'])
    expect(await edges()).toEqual(['Ada LIVES_IN Jordan', 'Jordan BORN_IN Oslo'])
    await forget(born)
    expect(await shown()).toEqual(['PERSON Ada 1', 'PLACE Jordan 3'])
  })

  test('is two where one memory names both', async () => {
    const { say, shown, forget } = await world()
    const [both] = await say('p:Porto, l:Porto', 'l:Porto')
    expect(await shown()).toEqual(['PERSON Porto 1', 'PLACE Porto 2'])
    await forget(both)
    expect(await shown()).toEqual(['PLACE Porto 1'])
  })

  test('that was several entities before is folded into one, with all that was said of them', async () => {
    const { say, shown, edges, running, scope, workspaceId } = await world()
    const [, guess] = await say(JOB, GUESS)
    const [wanted, id] = [{ shown: await shown(), edges: await edges() }, v7()]
    await running.database.workspace(workspaceId, async tx => {
      const [lindal] = await tx<{ id: string }[]>`
        select entity.id from graph.entity where entity.workspace_id = ${workspaceId} and entity.name = 'Lindal'`
      await tx`
        insert into graph.entity (workspace_id, id, user_id, type, name, normal_name, known_from, created_at, updated_at)
        select entity.workspace_id, ${id}, entity.user_id, 'PERSON', entity.name, entity.normal_name, now(), now(), now()
        from graph.entity
        where entity.workspace_id = ${workspaceId} and entity.id = ${lindal?.id ?? ''}`
      await tx`
        update graph.evidence set source_id = ${id}
        where evidence.workspace_id = ${workspaceId} and evidence.memory_id = ${guess ?? ''}`
      await tx`
        update graph.edge set source_id = ${id}
        where edge.workspace_id = ${workspaceId} and edge.type = 'USES_TECHNOLOGY'`
      await tx`
        update graph.mention set entity_id = ${id}
        where mention.workspace_id = ${workspaceId} and mention.memory_id = ${guess ?? ''} and mention.entity_id = ${lindal?.id ?? ''}`
      await tx`
        insert into graph.name (workspace_id, user_id, normal_name, entity_id, is_unfolded)
        select entity.workspace_id, entity.user_id, 'lindal', ${id}, true
        from graph.entity
        where entity.workspace_id = ${workspaceId} and entity.id = ${id}`
    })
    expect(await shown()).toContain('PERSON Lindal 1')
    await foldMarkedNames(scope, signal)
    expect({ shown: await shown(), edges: await edges() }).toEqual(wanted)
  })
})
