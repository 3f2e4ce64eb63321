import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { until } from '../../../test/support/wait.ts'
import { textsIn } from '../pipeline/long-texts.test-support.ts'
import { EmbeddingWorld, FakeModels, search } from './world.test-support.ts'

const models = new FakeModels()
beforeAll(() => models.start())
afterEach(() => EmbeddingWorld.stopAll())
afterAll(() => models.endpoint.stop())

const { long } = textsIn('English')

describe('the passages of long texts', () => {
  test('go with a change to a model that has none, and come back with the built-in one', async () => {
    const world = await EmbeddingWorld.open(undefined, ['Tea at four.', long.text])
    const passages = await world.passages()
    expect(Object.values(passages)).toEqual([expect.any(Number)])
    const other = models.add('whole-texts-only', 16)
    await world.switched(await world.start(other), other)
    await world.cleaned()
    expect(await world.passages()).toEqual({})
    const back = await world.start()
    await world.switched(back)
    await world.cleaned()
    expect(await world.passages()).toEqual(passages)
    const { texts } = await search(world.clientOf(back), long.questions.middle)
    expect(texts[0] === long.text).toBe(true)
  }, 240_000)

  test('are made for memories that were embedded before there were any', async () => {
    const world = await EmbeddingWorld.open(undefined, ['Tea at four.', long.text])
    const passages = await world.passages()
    const migration = await readFile(new URL('../sql/0008_create_passages.sql', import.meta.url), 'utf8')
    await world.database.system(async tx => {
      await tx`drop table search.passage`
      await tx.unsafe(migration)
      expect(await tx`select from search.passage`).toHaveLength(0)
    })
    await until('the passages are there', async () => Object.keys(await world.passages()).length > 0)
    expect(await world.passages()).toEqual(passages)
    await world.switched(world.first)
    expect(await world.gaps()).toBe(0)
  }, 240_000)
})
