import { expect, test } from 'bun:test'
import { type Tx, textArray } from 'mneme/plugin'
import { v7 } from 'uuid'
import { idleService } from '../../../test/support/service.ts'
import { lexemePrefix } from '../analysis/tsvector.ts'
import { nearWords } from './near-words.ts'

/** Adds a text to the counted words of a workspace, or removes it, as a write does before any fold. */
async function count(tx: Tx, workspaceId: string, sign: 1 | -1, ...words: readonly string[]): Promise<void> {
  const lexemes = words.map(word => lexemePrefix(workspaceId) + word)
  await tx`
    insert into search.term_delta (workspace_id, sign, length, words)
    values (${workspaceId}, ${sign}, ${words.length}, array_to_tsvector(${textArray(lexemes)}::text[]))`
}

test('words are known by their texts before any fold counted them, which a busy service does late', async () => {
  const { database } = await idleService()
  const workspaceId = v7()
  const near = await database.workspace(workspaceId, async tx => {
    await count(tx, workspaceId, 1, 'geburtstagsfeier', 'garten')
    await count(tx, workspaceId, 1, 'gardens')
    const words = ['geburtstgasfeier', 'gartne', 'grdens'].map(surface => ({ surface, stem: surface }))
    return Promise.all(words.map(word => nearWords(tx, workspaceId, word)))
  })
  expect(near).toEqual([['geburtstagsfeier'], ['garten'], ['gardens']])
})

test('a word that only a removed text contained is no correction, although its removal is not folded yet', async () => {
  const { database } = await idleService()
  const workspaceId = v7()
  const near = await database.workspace(workspaceId, async tx => {
    await count(tx, workspaceId, 1, 'harbour')
    await count(tx, workspaceId, 1, 'harbours')
    await tx`
      insert into search.term_stat (workspace_id, lexeme, documents)
      values (${workspaceId}, ${`${lexemePrefix(workspaceId)}harbor`}, 1)`
    await count(tx, workspaceId, -1, 'harbor')
    await count(tx, workspaceId, -1, 'harbours')
    return nearWords(tx, workspaceId, { surface: 'habrour', stem: 'habrour' })
  })
  expect(near).toEqual(['harbour'])
})
