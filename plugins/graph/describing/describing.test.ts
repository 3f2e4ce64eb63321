import { describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { EmbedderInputError, EmbedderUnavailableError } from 'mneme/plugin'
import { queryVector } from '../reading/query-vector.ts'
import { searchEntities } from '../reading/search-entities.ts'
import { embedWaiting } from '../tasks/embed.ts'
import { readWaiting } from '../tasks/read-waiting.ts'
import { likesExtractor, type ReadingWorld, readingWorld } from '../tasks/world.test-support.ts'
import { describe as describeSeen } from './describe-entities.ts'

const { signal } = new AbortController()

async function told(...texts: string[]) {
  const world = await readingWorld(likesExtractor())
  const ids: string[] = []
  for (const text of texts) ids.push(await world.remember(text))
  await readWaiting(world.scope, world.workspaceId, signal)
  return { world, ids }
}

async function entities({ scope, workspaceId }: ReadingWorld) {
  const rows = await scope.database.workspace(
    workspaceId,
    tx => tx<{ name: string; description: string | null; model: string | null; dimensions: number | null }[]>`
      select name, description, embedding_model as model, vector_dims(embedding) as dimensions
      from graph.entity where workspace_id = ${workspaceId} order by name`,
  )
  return Object.fromEntries(rows.map(({ name, ...row }) => [name, row]))
}

/** Makes equal vectors of any texts and notes these. */
function embedderOf(
  { scope }: ReadingWorld,
  { modelId = 'one', dimensions = 2, embedded = [] }: { modelId?: string; dimensions?: number; embedded?: string[] },
) {
  return {
    ...scope.embedder,
    modelId,
    dimensions,
    embed: async (texts: readonly string[]) => {
      embedded.push(...texts)
      return texts.map(() => ({ vector: new Float32Array(dimensions).fill(dimensions ** -0.5), tokens: 1 }))
    },
  }
}

describe('the description of an entity', () => {
  test('says three things at the most, what tells most of whom first', () => {
    const seen = (
      type: 'LIKES' | 'WORKS_AT' | 'LIVES_IN' | 'KNOWS' | 'STUDIED_AT',
      other: string,
      day: number,
      outgoing = true,
    ) => ({
      type,
      other,
      outgoing,
      knownFrom: new Date(day),
    })
    expect(
      describeSeen([
        seen('KNOWS', 'Bo', 1),
        seen('LIKES', 'tea', 1),
        seen('LIVES_IN', 'Lisbon', 1),
        seen('WORKS_AT', 'Acme', 1),
      ]),
    ).toBe('works at Acme, lives in Lisbon, likes tea')
    expect(describeSeen([seen('LIKES', 'tea', 1), seen('LIKES', 'coffee', 2)])).toBe('likes coffee, likes tea')
    expect(describeSeen([seen('WORKS_AT', 'Ada', 1, false)])).toBe('where Ada works')
    expect(describeSeen([seen('STUDIED_AT', 'TU Delft', 1)])).toBe('has studied at TU Delft')
    expect(describeSeen([seen('STUDIED_AT', 'Eva', 1, false)])).toBe('where Eva has studied')
    expect(describeSeen([])).toBeNull()
  })

  test('follows the edges, and leaves nothing of a memory that went', async () => {
    const { world, ids } = await told('Ada likes tea', 'Ada likes coffee')
    expect(await entities(world)).toMatchObject({
      Ada: { description: 'likes coffee, likes tea' },
      tea: { description: 'liked by Ada' },
    })
    await world.account.client.delete(`/v1/memories/${ids[1]}`)
    expect(await entities(world)).toEqual({
      Ada: { description: 'likes tea', model: null, dimensions: null },
      tea: { description: 'liked by Ada', model: null, dimensions: null },
    })
  })
})

describe('the vector of an entity', () => {
  test('is made of name and description, counted, and made again when they change', async () => {
    const { world } = await told('Ada likes tea')
    const counted: unknown[][] = []
    const usage = { tokens: (...all: unknown[]) => void counted.push(all) }
    const scope = { ...world.scope, usage }
    await embedWaiting(scope, world.workspaceId, signal, 10_000)
    const { modelId, dimensions } = scope.embedder
    const model = `${modelId}#${dimensions}`
    expect(await entities(world)).toMatchObject({ Ada: { model, dimensions }, tea: { model, dimensions } })
    expect(counted).toEqual([[world.workspaceId, 'embedding', expect.any(Number)]])
    await world.remember('Ada likes coffee')
    await readWaiting(scope, world.workspaceId, signal)
    expect(await entities(world)).toMatchObject({
      Ada: { model: null },
      coffee: { model: null },
      tea: { model },
    })
    const embedded: string[] = []
    const embedder = embedderOf(world, { modelId, dimensions, embedded })
    await embedWaiting({ ...scope, embedder }, world.workspaceId, signal, 10_000)
    expect(embedded.toSorted()).toEqual(['Ada: likes coffee, likes tea', 'coffee: liked by Ada'])
  })

  test('is of the model in use, also after that is another', async () => {
    const { world } = await told('Ada likes tea')
    const embed = (modelId: string) =>
      embedWaiting({ ...world.scope, embedder: embedderOf(world, { modelId }) }, world.workspaceId, signal, 10_000)
    await embed('one')
    expect(await entities(world)).toMatchObject({ Ada: { model: 'one#2' }, tea: { model: 'one#2' } })
    await embed('two')
    expect(await entities(world)).toMatchObject({ Ada: { model: 'two#2' }, tea: { model: 'two#2' } })
  })

  test('is made again when the model gives another length, and until then no search compares the two', async () => {
    const { world } = await told('Ada likes tea')
    const scopeOf = (dimensions: number) => ({ ...world.scope, embedder: embedderOf(world, { dimensions }) })
    const embed = (dimensions: number) => embedWaiting(scopeOf(dimensions), world.workspaceId, signal, 10_000)
    const found = async (dimensions: number) => {
      const query = 'a hot drink'
      const vector = await queryVector(scopeOf(dimensions), world.workspaceId, query)
      const entities = await world.scope.database.workspace(world.workspaceId, tx =>
        searchEntities(tx, world.workspaceId, { query, vector, limit: 10 }),
      )
      return entities.map(({ name }) => name).toSorted()
    }
    await embed(2)
    expect(await found(2)).toEqual(['Ada', 'tea'])
    expect(await found(3)).toEqual([])
    await embed(3)
    expect(await found(3)).toEqual(['Ada', 'tea'])
  })

  test('from before its length was noted is kept, unless the model gives another now', async () => {
    const { world } = await told('Ada likes tea')
    const embed = async (dimensions: number) => {
      const embedded: string[] = []
      const embedder = embedderOf(world, { dimensions, embedded })
      await embedWaiting({ ...world.scope, embedder }, world.workspaceId, signal, 10_000)
      return embedded
    }
    expect(await embed(2)).toHaveLength(2)
    const { database } = world.scope
    await database.workspace(
      world.workspaceId,
      tx => tx`
        update graph.entity set embedding_model = 'one' where workspace_id = ${world.workspaceId} and name = 'tea'`,
    )
    const migration = await readFile(new URL('../sql/0008_name_vectors_by_length.sql', import.meta.url), 'utf8')
    await database.system(tx => tx.unsafe(migration))
    expect(await entities(world)).toMatchObject({ Ada: { model: 'one#2' }, tea: { model: 'one#2' } })
    expect(await embed(2)).toEqual([])
    expect(await embed(3)).toHaveLength(2)
  })

  test('waits while the model is away, and for a text it never takes there is none', async () => {
    const { world } = await told('Ada likes tea')
    const asked: number[] = []
    const embedWith = (embed: (texts: readonly string[]) => Promise<{ vector: Float32Array; tokens: number }[]>) =>
      embedWaiting(
        { ...world.scope, embedder: { ...world.scope.embedder, modelId: 'm', dimensions: 1, embed } },
        world.workspaceId,
        signal,
        10_000,
      )
    await embedWith(async () => {
      throw new EmbedderUnavailableError('away')
    })
    expect(await entities(world)).toMatchObject({ Ada: { model: null }, tea: { model: null } })
    const picky = async (texts: readonly string[]) => {
      asked.push(texts.length)
      if (texts.some(text => text.startsWith('tea'))) throw new EmbedderInputError('never', 0)
      return texts.map(() => ({ vector: Float32Array.of(1), tokens: 1 }))
    }
    await embedWith(picky)
    expect(await entities(world)).toMatchObject({
      Ada: { model: 'm#1', dimensions: 1 },
      tea: { model: 'm#1', dimensions: null },
    })
    asked.length = 0
    await embedWith(picky)
    expect(asked).toEqual([])
  })
})
