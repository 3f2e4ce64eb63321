import { describe, expect, test } from 'bun:test'
import { localFacts, localReplies } from './index.ts'

async function kept(asked: string, reply: string): Promise<string[]> {
  const turns = [
    { turn: 0, role: 'user' as const, text: asked },
    { turn: 1, role: 'assistant' as const, text: reply },
  ]
  return (await localReplies(turns)).map(({ text }) => text)
}

describe('of a reply is kept, behind what it was asked', () => {
  test.each([
    ['Which tent should we take?', 'Take the Hubba NX, it is light.', 'Take the Hubba NX, it is light.'],
    ['Any café open late?', 'Sure! How about Café Oto? It is lovely there.', 'How about Café Oto?'],
    ['Archive the old tickets.', 'All 212 old tickets were archived.', 'All 212 old tickets were archived.'],
    [
      'Keep an eye on the parcel, please.',
      "I'll write to you once the parcel leaves Graz.",
      "I'll write to you once the parcel leaves Graz.",
    ],
    [
      'Welchen Wein nehmen wir?',
      'Ich empfehle den Riesling aus Rheinhessen.',
      'Ich empfehle den Riesling aus Rheinhessen.',
    ],
  ])('%s %s', async (asked, reply, told) => {
    expect(await kept(asked, reply)).toEqual([`User: ${asked}\nAssistant: ${told}`])
  })

  test('only its last question or request, without what else the user says', async () => {
    const [pair] = await kept('I have two cats. Which litter is best?', 'I would buy Catsan Natural.')
    expect(pair).toBe('User: Which litter is best?\nAssistant: I would buy Catsan Natural.')
  })

  test('the items of a list that name something', async () => {
    const [pair] = await kept(
      'Books about Lisbon?',
      'Here are some:\n1. "Night Train to Lisbon" by Pascal Mercier\n2. "The Book of Disquiet"',
    )
    expect(pair).toContain('"Night Train to Lisbon" by Pascal Mercier')
    expect(pair).toContain('"The Book of Disquiet"')
  })
})

describe('nothing is kept of', () => {
  test.each([
    ['Hi!', 'Hello! How can I help you today?'],
    ['I moved to Oslo.', 'Oslo is wonderful in winter!'],
    ['What is a monad?', 'A monad is a structure that wraps values and chains steps on them.'],
    ['Can you hear me?', "I'm a language model and can't hear anything."],
    ['Print it.', '```\nconst task = read()\n```'],
  ])('%s %s', async (asked, reply) => {
    expect(await kept(asked, reply)).toEqual([])
  })
})

describe('an order makes no statement, whatever it begins with', () => {
  test.each([
    'Install the date library',
    'Bump the version to 2.0',
    'Check why CI fails',
    'now wire the cache into the loader',
    'Mock the payment client in the tests',
    'Prüfe die Rechnungen vom März.',
    'Supprime les anciens fichiers du dossier Photos.',
  ])('%s', async text => {
    expect(await localFacts([{ turn: 0, role: 'user', text }], undefined)).toEqual([])
  })

  test.each([
    'Comment threads on Reddit annoy me.',
    'Work starts at nine in the Leipzig office.',
    'Lunch with Priya on Friday at the dosa place',
    'Love bouldering in Fontainebleau',
    'Run 10k every Sunday along the canal',
    'Read three novels by Zadie Smith last month.',
    'Coach Wanjiru moved my training to Eldoret.',
  ])('but this is one: %s', async text => {
    expect((await localFacts([{ turn: 0, role: 'user', text }], undefined)).map(fact => fact.text)).toEqual([text])
  })

  test('what is told beside an order or a question stays', async () => {
    for (const text of [
      "Book me a table, I'm vegetarian",
      'My son Emil turns seven on Saturday, can you think of a game?',
    ])
      expect((await localFacts([{ turn: 0, role: 'user', text }], undefined)).map(fact => fact.text)).toEqual([text])
    for (const text of ['If I move to Bern, can I keep my plates?', 'We all love our cat, right?'])
      expect(await localFacts([{ turn: 0, role: 'user', text }], undefined)).toEqual([])
  })
})
