import { expect, test } from 'bun:test'
import { describeLinear } from '../../../test/support/pumped.ts'
import { TEXT_MAX } from '../schemas.ts'
import { contentHash } from '../storing/content-hash.ts'
import { dependsOnDay } from './day-dependent.ts'
import { COMPARED_LENGTH_MAX as lengthMax, normalizedContent } from './near-duplicate.ts'
import { isCode, linesOf, tokensOf } from './tokens.ts'

describeLinear({
  contentHash: { read: contentHash, lengthMax: TEXT_MAX },
  normalizedContent: { read: normalizedContent, lengthMax, openings: ['1', 'please '] },
  tokensOf: { read: tokensOf, lengthMax, openings: ['1'] },
  isCode: { read: isCode, lengthMax: TEXT_MAX, openings: [';'] },
  linesOf: { read: linesOf, lengthMax },
  dependsOnDay: { read: dependsOnDay, lengthMax: TEXT_MAX },
})

test.each([
  ['("10:30").', ['(', '"', '=10:30"', ')', '.']],
  ['5",', ['=5"', ',']],
  ['"1!x', ['"', '=1!x']],
])('%s is separated from the signs around it', (text, tokens) => {
  const told = tokensOf(text).map(({ kind, text: token }) => (kind === 'exact' ? `=${token}` : token))
  expect(told).toEqual(tokens)
})
