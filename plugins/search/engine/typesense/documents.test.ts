import { expect, test } from 'bun:test'
import { v7 } from 'uuid'
import { documentSteps, type MemoryRow } from './documents.ts'

/** Builds the row of a text whose words all have to be digested, as those of a language without ASCII letters. */
function longText(words: number): MemoryRow {
  const lexemes = Array.from({ length: words }, (_, n) => `p${String.fromCodePoint(0x4e00 + n)}語`)
  return {
    workspace_id: v7(),
    memory_id: v7(),
    user_id: 'ada',
    agent_id: null,
    session_id: null,
    priority: 'MEDIUM',
    categories: '[]',
    created_at: new Date(0),
    expires_at: null,
    lexemes: JSON.stringify(lexemes),
    vectors: JSON.stringify([{ model: 1, values: JSON.stringify(Array(384).fill(-0.0123456)) }]),
    stamp: 'a 1:b',
  }
}

function done(rows: readonly MemoryRow[]) {
  const steps = documentSteps(rows)
  for (let count = 0; ; count++) {
    const step = steps.next()
    if (step.done) return { count, memories: [...step.value.values()] }
  }
}

test('documents of long texts are made in many steps, between which others have their turn', () => {
  expect(done([longText(5000), longText(5000)]).count).toBeGreaterThanOrEqual(100)
  expect(done([longText(1), longText(1), longText(1)]).count).toBeGreaterThanOrEqual(3)
})

test('the length of a document is known before it is written', () => {
  const [memory] = done([longText(5000)]).memories
  const written = JSON.stringify(memory?.withVectors).length
  expect(memory?.bytes).toBeWithin(0.9 * written, 1.1 * written)
})
