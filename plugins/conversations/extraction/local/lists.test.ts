import { expect, test } from 'bun:test'
import { localFacts } from './local-facts.ts'

async function facts(text: string): Promise<string[]> {
  const found = await localFacts([{ turn: 0, role: 'user', text, saidAt: new Date(0) }], undefined)
  return found.map(fact => fact.text)
}

test('items that tell nothing alone stay with the words before their list', async () => {
  const stack = 'Our stack:\n- Next.js 15\n- Supabase\n- deployed on Vercel'
  expect(await facts(`I'm building an app called LedgerLeaf. ${stack}\nThanks!`)).toEqual([
    "I'm building an app called LedgerLeaf.",
    stack,
  ])
  expect(await facts('Translate these words:\n- Apple\n- Pear')).toEqual([])
})
