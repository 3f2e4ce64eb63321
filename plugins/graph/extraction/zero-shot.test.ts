import { describe, expect, test } from 'bun:test'
import type { Hints } from 'text-reader/facts/kinds'
import type { StatementCategory } from '../contract.ts'
import { createZeroShot, type Embed } from './zero-shot.ts'

const about = { workspaceId: 'w', signal: new AbortController().signal }

/** One axis for each word that matters, so that likeness is what the test says it is. */
const AXES = ['answers', 'marathon', 'peanuts']
const vectorOf = (text: string) => {
  const vector = Float32Array.from([...AXES.map(word => (text.includes(word) ? 1 : 0)), 0.01])
  const length = Math.hypot(...vector)
  return vector.map(value => value / length)
}
const embed: Embed = async texts => texts.map(vectorOf)
const NONE: Hints = { weights: new Map(), areAll: false }
const open = (...texts: string[]) => texts.map(text => ({ text, vector: undefined, hints: NONE }))

test('files each sentence with the nearest examples', async () => {
  const filed = await createZeroShot(embed)(open('Give long answers', 'A marathon in May', 'No peanuts'), about)
  expect(filed.map(({ category }) => category)).toEqual(['communication_style', 'goals', 'personal'])
})

test('what is near to nothing, or nothing to the model, is general', async () => {
  const flat: Embed = async texts => texts.map((_, i) => Float32Array.from(texts.length > 5 ? [1, 0] : [0, i + 1]))
  expect(await createZeroShot(flat)(open('Clouds'), about)).toEqual([{ category: 'general', confidence: 0.2 }])
  const unknown: Embed = async (texts, { workspaceId }) => texts.map(text => (workspaceId ? null : vectorOf(text)))
  expect(await createZeroShot(unknown)(open('peanuts'), about)).toMatchObject([{ category: 'general' }])
})

test('embeds its examples once, and again only after a failure', async () => {
  let calls = 0
  const flaky: Embed = (texts, ...rest) => {
    calls++
    return calls === 1 ? Promise.reject(new Error('away')) : embed(texts, ...rest)
  }
  const categorize = createZeroShot(flaky)
  await expect(categorize(open('A marathon'), about)).rejects.toThrow('away')
  await categorize(open('A marathon'), about)
  await categorize(open('A marathon'), about)
  expect(calls).toBe(4)
})

test('embeds only what comes without a vector of its model', async () => {
  const embedded: string[] = []
  const counting: Embed = (texts, rest) => {
    if (rest.workspaceId) embedded.push(...texts)
    return embed(texts, rest)
  }
  const filed = await createZeroShot(counting)(
    [
      { text: 'as its vector says', vector: vectorOf('marathon'), hints: NONE },
      { text: 'of another model: peanuts', vector: Float32Array.of(1, 0), hints: NONE },
    ],
    about,
  )
  expect(filed.map(({ category }) => category)).toEqual(['goals', 'personal'])
  expect(embedded).toEqual(['of another model: peanuts'])
})

describe('beside likeness', () => {
  const hinted = async (text: string, weights: [StatementCategory, number][], areAll = false) => {
    const [filed] = await createZeroShot(embed)(
      [{ text, vector: undefined, hints: { weights: new Map(weights), areAll } }],
      about,
    )
    return filed?.category
  }

  test('of several kinds of facts in a sentence the one it is likest to files it, and nothing else', async () => {
    const facts: [StatementCategory, number][] = [
      ['work_context', 0.2],
      ['personal', 0.2],
    ]
    expect(await hinted('peanuts', facts, true)).toBe('personal')
    expect(await hinted('A marathon', facts, true)).toBe('work_context')
  })

  test('a word files what is like nothing, and gives way to what the sentence is clearly about', async () => {
    expect(await hinted('The old library', [['tech_stack', 0.15]])).toBe('tech_stack')
    expect(await hinted('A marathon around the old library', [['tech_stack', 0.15]])).toBe('goals')
  })

  test('what the model cannot read is filed by its words', async () => {
    const unknown: Embed = async (texts, { workspaceId }) => texts.map(text => (workspaceId ? null : vectorOf(text)))
    const hints: Hints = { weights: new Map([['preferences', 0.15]]), areAll: false }
    expect(await createZeroShot(unknown)([{ text: 'x', vector: undefined, hints }], about)).toMatchObject([
      { category: 'preferences' },
    ])
  })
})
