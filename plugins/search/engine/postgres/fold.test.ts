import { describe, expect, test } from 'bun:test'
import { type Background, Portion } from 'mneme/plugin'
import { heldRows, refuseRows, releaseRows } from '../../../../test/support/bad-row.ts'
import { quarantineOf } from '../../../../test/support/quarantine.ts'
import { service } from '../../../../test/support/service.ts'
import { until } from '../../../../test/support/wait.ts'
import { registerWorkspace } from '../../../../test/support/workspace.ts'
import { Corpus } from '../conformance/corpus.test-support.ts'
import { foldDeltas } from './fold.ts'
import { foldAll, folded } from './folded.test-support.ts'
import { openPostgresEngine } from './index.ts'

const open = async () => {
  const { database } = await service()
  return { database, engine: await openPostgresEngine(database) }
}

describe('document frequencies', () => {
  test('are equal before and after a fold, even if two folds run at once', async () => {
    const world = await open()
    const corpus = await Corpus.of(world, 'cat and dog', 'cat', 'bird')
    await corpus.remove('cat')
    const before = await corpus.candidates('cat dog bird')
    await Promise.all([1, 2].map(() => folded(world.database, corpus.workspaceId)))
    const left = await corpus.write(tx => tx`select from search.term_delta where workspace_id = ${corpus.workspaceId}`)
    expect(left).toHaveLength(0)
    const after = await corpus.candidates('cat dog bird')
    expect(after.corpus).toEqual(before.corpus)
    expect(after.corpus.documents).toBe(2)
  })

  test('take in new texts a piece at a time, between requests', async () => {
    const { database, engine } = await open()
    const quarantine = quarantineOf('search', database)
    const piecesOf = async () => {
      await Corpus.of({ database, engine }, 'cat and dog', 'quokka', 'bird')
      let pieces = 0
      const background: Background = {
        run(piece) {
          pieces++
          return piece()
        },
      }
      await foldDeltas({ database, quarantine, background }, new Portion({ least: 1, most: 1 }))
      return pieces
    }
    // The service folds every two seconds as well, and may have been first.
    await until('a fold of three texts by itself', async () => (await piecesOf()) >= 3)
  })

  test('are exact while a long text is taken in or taken out a part at a time', async () => {
    const { database, engine } = await open()
    const quarantine = quarantineOf('search', database)
    const corpus = await Corpus.of({ database, engine }, 'cat')
    const partsOf = async () => {
      const expected = (await corpus.candidates('cat dog bird fish')).corpus
      let parts = 0
      const background: Background = {
        async run(piece) {
          const result = await piece()
          parts++
          expect((await corpus.candidates('cat dog bird fish')).corpus).toEqual(expected)
          return result
        },
      }
      await foldDeltas({ database, quarantine, background }, new Portion({ least: 1, most: 1 }))
      return parts
    }
    // The service folds every two seconds as well, and may have been first.
    await until('a fold of a text with four words by itself', async () => {
      await corpus.add('cat dog bird fish')
      return (await partsOf()) >= 4
    })
    await until('a fold of its end by itself', async () => {
      await corpus.add('cat dog bird fish')
      await folded(database, corpus.workspaceId)
      await corpus.remove('cat dog bird fish')
      return (await partsOf()) >= 4
    })
  })

  test('keep no word of a deleted text', async () => {
    const world = await open()
    const corpus = await Corpus.of(world, 'cat and quokka', 'cat')
    const words = () =>
      corpus.write(
        tx => tx<{ lexeme: string }[]>`
          select lexeme from search.term_stat where workspace_id = ${corpus.workspaceId} order by lexeme`,
      )
    await folded(world.database, corpus.workspaceId)
    expect(JSON.stringify(await words())).toContain('quokka')
    await corpus.remove('cat and quokka')
    await folded(world.database, corpus.workspaceId)
    const left = JSON.stringify(await words())
    expect(left).not.toContain('quokka')
    expect(left).toContain('cat')
  })

  test('are kept up for all workspaces but one whose words cannot be stored, and for that one once it is given back', async () => {
    const world = await open()
    const { database } = world
    const [bad, good] = [await Corpus.of(world), await Corpus.of(world)]
    await registerWorkspace(await service(), bad.workspaceId)
    const waiting = async () => (await bad.write(tx => tx`select from search.term_delta`)).length
    const held = () => heldRows(database, 'search:fold', bad.workspaceId)
    const where = { workspace_id: bad.workspaceId }
    const accept = await refuseRows(database, { table: 'search.term_stat', event: 'insert', where })
    try {
      await bad.add('cat')
      await good.add('cat')
      await folded(database, good.workspaceId)
      // The service folds as well, and may be at work on either.
      await until('it is held back', async () => {
        await foldAll(database)
        return (await held()).length > 0
      })
      expect([await held(), await waiting()]).toEqual([[''], 1])
    } finally {
      await accept()
    }
    await foldAll(database)
    expect(await waiting()).toBe(1)
    await until('it is folded once it is given back', async () => {
      await releaseRows(database, 'search:fold', bad.workspaceId)
      await foldAll(database)
      return (await waiting()) === 0
    })
    expect(await held()).toEqual([])
  })
})
