import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { mergeSettings, readSettings, toWorkspaceSettings } from './settings.ts'

describe('workspace settings', () => {
  test('every key is there, with its default', () => {
    expect(readSettings({})).toEqual({
      targets: { memories: null, requests: null, search_quality: null },
      consolidation: true,
      task_ttl_days: null,
      language: null,
      daily_model_tokens: null,
      retention_days: null,
    })
  })

  test('a change merges key by key, also inside targets, and null resets', () => {
    const before = mergeSettings(readSettings({}), { targets: { memories: 100 }, language: 'de' })
    const after = mergeSettings(before, { targets: { search_quality: 0.8 }, task_ttl_days: 3 })
    expect(after).toMatchObject({ targets: { memories: 100, search_quality: 0.8 }, language: 'de', task_ttl_days: 3 })
    expect(mergeSettings(after, { targets: { memories: null }, language: null })).toMatchObject({
      targets: { memories: null, search_quality: 0.8 },
      language: null,
      task_ttl_days: 3,
    })
  })

  test('whatever is stored can be read', () => {
    fc.assert(
      fc.property(fc.jsonValue(), stored => {
        const settings = readSettings(stored)
        expect(readSettings(settings)).toEqual(settings)
      }),
    )
  })

  test('plugins see only the targets that are set', () => {
    const settings = toWorkspaceSettings(mergeSettings(readSettings({}), { targets: { requests: 5 } }))
    expect(settings.targets).toEqual({ requests: 5 })
  })
})
