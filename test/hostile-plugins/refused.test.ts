import { describe, expect, test } from 'bun:test'
import { refused } from './cases/refused.ts'
import { sentenceOf } from './world.ts'

/** A sentence ends with what is wrong or what to do, which a bare error of the runtime would lack. */
const NAMED = /^plugin [\w./-]+(:| is| requires) .{20,}/

describe('the service does not start, and says which plugin it is and what to do', () => {
  for (const { what, plugins, sentence, ...circumstances } of refused) {
    test(what, async () => {
      expect(sentence).toMatch(NAMED)
      expect((await sentenceOf(plugins, circumstances)).split('\n')).toContain(sentence)
    }, 60_000)
  }
})

test('afterwards the same database serves a service without them, with nothing of theirs in it', async () => {
  expect(await sentenceOf([], { builtIn: 'all' })).toBe('it started')
}, 60_000)
