import { expect, test } from 'bun:test'
import { statedAt } from './stated-at.ts'

const [SAID, CREATED, CHANGED] = ['2026-06-01', '2026-07-01', '2026-08-01'].map(day => new Date(day)) as [
  Date,
  Date,
  Date,
]
const memory = { metadata: null, createdAt: CREATED, textChangedAt: null }

test('a memory was stated when it was created, or said before in a conversation, or when its text was changed', () => {
  const said = (at: unknown) => ({ ...memory, metadata: { said_at: at } })
  expect(statedAt(memory)).toEqual(CREATED)
  expect(statedAt(said(SAID.toISOString()))).toEqual(SAID)
  for (const at of [CHANGED.toISOString(), '0001-01-01T00:00:00Z', 'yesterday', 7])
    expect(statedAt(said(at))).toEqual(CREATED)
  expect(statedAt({ ...said(SAID.toISOString()), textChangedAt: CHANGED })).toEqual(CHANGED)
})
