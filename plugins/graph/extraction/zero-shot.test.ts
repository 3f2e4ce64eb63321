import { expect, test } from 'bun:test'
import { createZeroShot, type Embed } from './zero-shot.ts'

const signal = AbortSignal.timeout(10_000)

/** One axis for each word that matters, so that likeness is what the test says it is. */
const AXES = ['answers', 'marathon', 'peanuts']
const embed: Embed = async texts =>
  texts.map(text => {
    const vector = Float32Array.from([...AXES.map(word => (text.includes(word) ? 1 : 0)), 0.01])
    const length = Math.hypot(...vector)
    return vector.map(value => value / length)
  })

test('files each sentence with the nearest examples', async () => {
  const filed = await createZeroShot(embed)(['Give long answers', 'A marathon in May', 'No peanuts'], signal)
  expect(filed.map(({ category }) => category)).toEqual(['communication_style', 'goals', 'personal'])
})

test('what is near to nothing is general', async () => {
  const flat: Embed = async texts => texts.map((_, i) => Float32Array.from(texts.length > 5 ? [1, 0] : [0, i + 1]))
  expect(await createZeroShot(flat)(['Clouds'], signal)).toEqual([{ category: 'general', confidence: 0.25 }])
})

test('embeds its examples once, and again only after a failure', async () => {
  let calls = 0
  const flaky: Embed = (texts, ...rest) => {
    calls++
    return calls === 1 ? Promise.reject(new Error('away')) : embed(texts, ...rest)
  }
  const categorize = createZeroShot(flaky)
  await expect(categorize(['A marathon'], signal)).rejects.toThrow('away')
  await categorize(['A marathon'], signal)
  await categorize(['A marathon'], signal)
  expect(calls).toBe(4)
})
