import { expect, test } from 'bun:test'
import type { Turn } from '../conversation.ts'
import { localFacts } from './local/local-facts.ts'

test('the same words twice are one fact in one turn, and one of each in two, where they hold again', async () => {
  const said = (text: string, turn: number): Turn => ({ turn, role: 'user', text, saidAt: new Date(0) })
  const turns = [said('I live in Ghent. I live in Ghent.', 0), said('I live in Ghent.', 2)]
  expect(await localFacts(turns, undefined)).toEqual([
    { turn: 0, text: 'I live in Ghent.' },
    { turn: 2, text: 'I live in Ghent.' },
  ])
})
