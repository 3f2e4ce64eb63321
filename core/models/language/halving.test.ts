import { describe, expect, test } from 'bun:test'
import { inHalves } from './halving.ts'
import { LanguageModelOutputError, LanguageModelUnavailableError } from './language-model.ts'

describe('work in halves', () => {
  test('is one call where nothing is wrong, and none without items', async () => {
    const calls: number[][] = []
    const work = async (items: readonly number[]) => calls.push([...items])
    expect(await inHalves([1, 2, 3], work)).toEqual({ results: [1], failed: [] })
    expect(await inHalves([], work)).toEqual({ results: [], failed: [] })
    expect(calls).toEqual([[1, 2, 3]])
  })

  test('leaves only the items at fault behind, in order', async () => {
    let calls = 0
    const { results, failed } = await inHalves([1, 2, 3, 4, 5, 6, 7, 8], async items => {
      calls++
      if (items.includes(3) || items.includes(8)) throw new LanguageModelOutputError('refused', 'declines')
      return items
    })
    expect(results.flat()).toEqual([1, 2, 4, 5, 6, 7])
    expect(failed.map(({ item }) => item)).toEqual([3, 8])
    expect(calls).toBeLessThanOrEqual(15)
  })

  test('ends when the model is away', async () => {
    const away = new LanguageModelUnavailableError('away')
    const work = () => Promise.reject(away)
    expect(inHalves([1, 2], work)).rejects.toBe(away)
  })
})
