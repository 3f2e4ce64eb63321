import { expect, test } from 'bun:test'
import { filesWith, isTest, read } from './source.ts'

/** These bound runs of combining marks themselves. */
const OWN = ['packages/reader/normalize.ts']

test('texts are normalised by unicodeForm, which takes linear time over runs of combining marks', () => {
  const found = filesWith('.ts').filter(
    path => !isTest(path) && !OWN.includes(path) && /\.normalize\(\s*['"]NF/.test(read(path)),
  )
  expect(found).toEqual([])
})
