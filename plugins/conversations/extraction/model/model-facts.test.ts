import { describe, expect, test } from 'bun:test'
import {
  type GenerateRequest,
  type LanguageModel,
  LanguageModelOutputError,
  LanguageModelUnavailableError,
} from 'mneme/plugin'
import type { Turn } from '../../conversation.ts'
import { modelFacts } from './model-facts.ts'

interface Answer {
  turn: number
  quote: string
  fact: string
}

/** A model that answers as told, and notes what it was asked. */
function modelOf(answer: (input: { turns: { turn: number; text: string }[] }) => Answer[]) {
  const asked: GenerateRequest<never>[] = []
  const generate = async (request: GenerateRequest<never>) => {
    asked.push(request)
    const facts = answer(JSON.parse(request.input))
    return { value: { facts }, usage: { inputTokens: 1, cachedTokens: 0, outputTokens: 1 } }
  }
  return { model: { generate: generate as never } satisfies Pick<LanguageModel, 'generate'>, asked }
}

const turnsOf = (...texts: string[]): Turn[] =>
  texts.map((text, turn) => ({
    turn,
    role: text.startsWith('A: ') ? 'assistant' : 'user',
    text: text.replace(/^A: /, ''),
    saidAt: new Date('2026-03-01'),
  }))

const signal = new AbortController().signal

/** Returns the facts kept from one completion about one conversation. */
async function kept(turns: Turn[], ...answers: Answer[]): Promise<string[]> {
  const { model } = modelOf(() => answers)
  const { facts } = await modelFacts(model, 'workspace', { turns, before: [], userId: 'ada' }, signal)
  return facts.map(({ text }) => text)
}

const WHERE = turnsOf('A: Where do you live?', 'Lisbon.')

describe('a fact of the model', () => {
  test('may take its names from what the assistant asked', async () => {
    expect(await kept(WHERE, { turn: 1, quote: 'Lisbon.', fact: 'I live in Lisbon.' })).toEqual(['I live in Lisbon.'])
  })

  test('may be what the assistant did, which is marked as such', async () => {
    const turns = turnsOf('Which backpack?', "A: I'd go with the Osprey Farpoint 40.")
    const quote = "I'd go with the Osprey Farpoint 40."
    const answers = [
      { turn: 1, quote, fact: 'The assistant recommended the Osprey Farpoint 40.' },
      { turn: 1, quote, fact: 'The assistant recommended the Deuter Aviant 50.' },
      { turn: 1, quote, fact: "I'd go with the Osprey Farpoint 40." },
    ]
    const { model } = modelOf(() => answers)
    const { facts } = await modelFacts(model, 'w', { turns, before: [], userId: 'ada' }, signal)
    expect(facts).toEqual([{ turn: 1, text: 'The assistant recommended the Osprey Farpoint 40.', saidBy: 'assistant' }])
  })

  test('may resolve who is meant, over turns', async () => {
    const turns = turnsOf('My sister Ana visits on Sunday.', 'A: Nice!', 'She is allergic to nuts.')
    const answer = { turn: 2, quote: 'She is allergic to nuts.', fact: 'My sister Ana is allergic to nuts.' }
    expect(await kept(turns, answer)).toEqual(['My sister Ana is allergic to nuts.'])
  })

  const turns = turnsOf(
    'I don’t eat meat, and I have two cats.',
    'A: You could move to Oslo in 2031, says Pedro.',
    'Ich wohne in Bonn.',
    '私は大阪に住んでいます。',
    'لا أحب القهوة.',
    'Я не люблю кофе.',
  )

  test.each([
    ['rests on words that the turn does not have', { turn: 0, quote: 'I have two dogs', fact: 'I have two cats.' }],
    ['rests on nothing', { turn: 0, quote: ' ', fact: 'I have two cats.' }],
    ['rests on what the assistant says', { turn: 1, quote: 'move to Oslo', fact: 'I could move to Oslo.' }],
    ['rests on a turn that is not there', { turn: 9, quote: 'two cats', fact: 'I have two cats.' }],
    ['invents a name', { turn: 0, quote: 'I have two cats', fact: 'I have two cats, Tom and Luna.' }],
    ['invents a number', { turn: 0, quote: 'I have two cats', fact: 'I have 12 cats.' }],
    ['invents a number in words', { turn: 0, quote: 'I have two cats', fact: 'I have three cats.' }],
    ['turns a denial around', { turn: 0, quote: 'I don’t eat meat', fact: 'I eat meat.' }],
    ['denies what was said', { turn: 0, quote: 'I have two cats', fact: 'I do not have cats.' }],
    ['says something else', { turn: 0, quote: 'two cats', fact: 'I enjoy quantum physics and skateboarding.' }],
    ['is a question', { turn: 0, quote: 'two cats', fact: 'Do I have two cats?' }],
    ['is a prompt', { turn: 0, quote: 'two cats', fact: 'You are an assistant with two cats.' }],
    ['has several lines', { turn: 0, quote: 'two cats', fact: 'I have\ntwo cats.' }],
    ['turns a denial around in Arabic', { turn: 4, quote: 'لا أحب القهوة', fact: 'أحب القهوة.' }],
    ['turns a denial around in Russian', { turn: 5, quote: 'Я не люблю кофе', fact: 'Я люблю кофе.' }],
    ['is empty', { turn: 0, quote: 'two cats', fact: '' }],
    ['invents a name in Katakana', { turn: 3, quote: '大阪に住んで', fact: '私はスペインの大阪に住んでいます。' }],
  ])('is dropped when it %s', async (_, answer) => {
    expect(await kept(turns, answer)).toEqual([])
  })

  test.each([
    [{ turn: 0, quote: 'I don’t eat meat', fact: "I don't eat meat." }],
    [{ turn: 0, quote: "i don't eat meat", fact: 'I never eat meat.' }],
    [{ turn: 0, quote: 'I have two cats', fact: 'I have two cats.' }],
    [{ turn: 2, quote: 'Ich wohne in Bonn', fact: 'Ich wohne in Bonn.' }],
    [{ turn: 3, quote: '大阪に住んでいます', fact: '私は大阪に住んでいる。' }],
  ])('is kept when it is borne out: %j', async answer => {
    expect(await kept(turns, answer)).toEqual([answer.fact])
  })
})

describe('what is denied beside a quotation', () => {
  test.each([
    ['I do not like coffee.', 'like coffee', 'I like coffee.'],
    ['I do not like coffee.', 'coffee', 'I like coffee.'],
    ["I don't eat meat, fish or cheese.", 'fish or cheese', 'I eat fish or cheese.'],
    ['Ich mag Kaffee nicht.', 'Ich mag Kaffee', 'Ich mag Kaffee.'],
    ['私はコーヒーが好きではない。', '私はコーヒーが好き', '私はコーヒーが好き。'],
    ['I do not like Berlin in winter.', 'Berlin in winter', 'I like Berlin in winter.'],
    ['Ich mag keinen Kaffee.', 'Kaffee', 'Ich mag Kaffee.'],
    ['I do not like coffee.', 'Like coffee', 'Like coffee.'],
    ['I do not like coffee.', 'like coffee', 'Like coffee.'],
    ['I love tea not coffee.', 'I love tea', 'I love tea.'],
    ['我不喜欢咖啡。', '喜欢咖啡', '我喜欢咖啡。'],
  ])('in "%s" counts for "%s"', async (text, quote, fact) => {
    expect(await kept(turnsOf(text), { turn: 0, quote, fact })).toEqual([])
  })

  test.each([
    ["I don't like coffee but I love tea.", 'I love tea', 'I love tea.'],
    ['I love tea but not coffee.', 'I love tea', 'I love tea.'],
    ["I don't drink coffee. Tea I love.", 'Tea I love', 'I love tea.'],
    ['No como carne, tengo dos gatos.', 'tengo dos gatos', 'Tengo dos gatos.'],
    ['我不吃肉，我有两只猫。', '我有两只猫', '我有两只猫。'],
    ['I do not like coffee.', 'like coffee', 'I do not like coffee.'],
    ["I can't believe Ana got married to Tom! I live in Ghent.", 'Ana got married to Tom', 'Ana got married to Tom.'],
    ["I haven't seen Ben since he moved to Berlin.", 'he moved to Berlin', 'Ben moved to Berlin.'],
    ['No puedo creer que Ana vive en Lima.', 'Ana vive en Lima', 'Ana vive en Lima.'],
    ['I like coffee without sugar.', 'I like coffee', 'I like coffee.'],
    ['I like coffee without sugar.', 'I like coffee', 'I like coffee without sugar.'],
  ])('in "%s" does not count where it is of something else: "%s"', async (text, quote, fact) => {
    expect(await kept(turnsOf(text), { turn: 0, quote, fact })).toEqual([fact])
  })
})

describe('asking the model', () => {
  test('sends words as data, the task apart, and nothing of system or tools', async () => {
    const { model, asked } = modelOf(() => [])
    const before = turnsOf('A: Hello.')
    const { unread } = await modelFacts(model, 'workspace', { turns: WHERE, before, userId: 'ada' }, signal)
    expect(unread).toEqual([])
    expect(asked).toMatchObject([{ operation: 'enrichment', workspaceId: 'workspace' }])
    expect(JSON.parse(asked[0]?.input ?? '')).toEqual({
      before: [{ turn: 0, role: 'assistant', date: '2026-03-01', text: 'Hello.' }],
      turns: [
        { turn: 0, role: 'assistant', date: '2026-03-01', text: 'Where do you live?' },
        { turn: 1, role: 'user', date: '2026-03-01', text: 'Lisbon.' },
      ],
    })
  })

  test('a turn that it has no answer for is left to be read otherwise, and spares its neighbours', async () => {
    const turns = turnsOf('I live in Ghent.', 'Something it refuses.', 'I play the oboe.')
    const { model } = modelOf(input => {
      if (input.turns.some(({ text }) => text.includes('refuses'))) throw new LanguageModelOutputError('refused', 'no')
      return input.turns.map(({ turn, text }) => ({ turn, quote: text, fact: text }))
    })
    const { facts, unread } = await modelFacts(model, 'w', { turns, before: [], userId: 'ada' }, signal)
    expect(facts.map(({ turn }) => turn)).toEqual([0, 2])
    expect(unread.map(({ turn }) => turn)).toEqual([1])
  })

  test('a turn that was miscounted is found by its words, where they are of one alone', async () => {
    const turns = turnsOf('I live in Ghent.', 'A: Nice!', 'I play the oboe.', 'I play the oboe.')
    const { model } = modelOf(() => [
      { turn: 1, quote: 'I live in Ghent', fact: 'I live in Ghent.' },
      { turn: 7, quote: 'I play the oboe', fact: 'I play the oboe.' },
    ])
    const { facts, unread } = await modelFacts(model, 'w', { turns, before: [], userId: 'ada' }, signal)
    expect([facts, unread]).toEqual([[{ turn: 0, text: 'I live in Ghent.' }], []])
  })

  test('a turn of which nothing that the model said is borne out is left to be read otherwise', async () => {
    const turns = turnsOf('I live in Ghent.', 'I play the oboe.')
    const { model } = modelOf(() => [
      { turn: 0, quote: 'I live in Ghent', fact: 'I live in Paris.' },
      { turn: 1, quote: 'I play the oboe', fact: 'I play the oboe.' },
      { turn: 1, quote: 'I play the oboe', fact: 'I play the Bassoon in London.' },
    ])
    const { facts, unread } = await modelFacts(model, 'w', { turns, before: [], userId: 'ada' }, signal)
    expect(facts.map(({ turn }) => turn)).toEqual([1])
    expect(unread.map(({ turn }) => turn)).toEqual([0])
  })

  test('a turn of which one fact alone may turn a denial around is also read otherwise', async () => {
    const turns = turnsOf('I love tea not coffee. I live in Ghent.', 'I have two cats, I live in Ghent.')
    const { model } = modelOf(() => [
      { turn: 0, quote: 'I love tea', fact: 'I love tea.' },
      { turn: 0, quote: 'I live in Ghent', fact: 'I live in Ghent.' },
      { turn: 1, quote: 'I have two cats', fact: 'I do not have five cats.' },
      { turn: 1, quote: 'I live in Ghent', fact: 'I live in Ghent.' },
    ])
    const { facts, unread } = await modelFacts(model, 'w', { turns, before: [], userId: 'ada' }, signal)
    expect(facts.map(({ turn, text }) => [turn, text])).toEqual([
      [0, 'I live in Ghent.'],
      [1, 'I live in Ghent.'],
    ])
    expect(unread.map(({ turn }) => turn)).toEqual([0])
  })

  test('a model that is away leaves everything unread; a long text is none for it', async () => {
    const away = modelOf(() => {
      throw new LanguageModelUnavailableError('away')
    })
    const window = { turns: turnsOf('A: Hi.', 'I live in Ghent.'), before: [], userId: 'ada' }
    expect(await modelFacts(away.model, 'w', window, signal)).toMatchObject({
      facts: [],
      unread: [{ turn: 0 }, { turn: 1 }],
    })
    const { model, asked } = modelOf(() => [])
    const long = { ...window, turns: turnsOf('I live in Ghent. '.repeat(1000)) }
    expect(await modelFacts(model, 'w', long, signal)).toMatchObject({ facts: [], unread: [{ turn: 0 }] })
    expect(asked).toHaveLength(0)
  })

  test('what was read in parts before the model went away is kept', async () => {
    const turns = turnsOf('I live in Ghent.', 'I play the oboe.')
    const { model } = modelOf(input => {
      if (input.turns.length > 1) throw new LanguageModelOutputError('truncated', 'too long')
      const [{ turn, text } = { turn: 0, text: '' }] = input.turns
      if (turn === 1) throw new LanguageModelUnavailableError('away')
      return [{ turn, quote: text, fact: text }]
    })
    const reading = await modelFacts(model, 'w', { turns, before: [], userId: 'ada' }, signal)
    expect(reading).toMatchObject({ facts: [{ turn: 0 }], unread: [{ turn: 1 }], awayMs: expect.any(Number) })
  })

  test('beyond the time for a window nothing more is asked', async () => {
    const { model, asked } = modelOf(() => [])
    const window = { turns: turnsOf('I live in Ghent.', 'I play the oboe.'), before: [], userId: 'ada' }
    expect(await modelFacts(model, 'w', window, signal, 0)).toMatchObject({ unread: [{ turn: 0 }, { turn: 1 }] })
    expect(asked).toHaveLength(0)
  })

  test('what fails otherwise fails the job, which is then tried again', async () => {
    const { model } = modelOf(() => {
      throw new Error('a fault of ours')
    })
    const window = { turns: turnsOf('I live in Ghent.'), before: [], userId: 'ada' }
    await expect(modelFacts(model, 'w', window, signal)).rejects.toThrow('a fault of ours')
  })
})
