import { expect, spyOn, test } from 'bun:test'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readPublished, sampled } from './published.ts'
import { printSessions } from './sessions.ts'

async function published(content: unknown) {
  const folder = await mkdtemp(join(tmpdir(), 'published-'))
  const file = join(folder, 'data.json')
  await writeFile(file, JSON.stringify(content))
  return readPublished(file)
}

const LOCOMO = [
  {
    sample_id: 'conv-1',
    conversation: {
      speaker_a: 'Ana',
      speaker_b: 'Ben',
      session_1_date_time: '1:56 pm on 8 May, 2023',
      session_1: [
        { speaker: 'Ana', dia_id: 'D1:1', text: 'Hello!' },
        { speaker: 'Ben', dia_id: 'D1:2', text: 'See my boat.', blip_caption: 'a boat on a lake' },
      ],
      session_2_date_time: '9:00 am on 9 May, 2023',
      session_2: [{ speaker: 'Ana', dia_id: 'D2:1', text: 'I sold the boat.' }],
    },
    qa: [
      { question: 'Who has a boat?', category: 1, evidence: ['D1:02; D2:1'] },
      { question: 'What did nobody say?', category: 5, evidence: ['D9:9'] },
    ],
  },
]

test('LoCoMo: turns of all sessions, and evidence also where it is cited carelessly', async () => {
  expect(await published(LOCOMO)).toEqual([
    {
      name: 'conv-1',
      turns: [
        { id: 'D1:1', session: 'session_1', date: '1:56 pm on 8 May, 2023', text: 'Ana: Hello!' },
        {
          id: 'D1:2',
          session: 'session_1',
          date: '1:56 pm on 8 May, 2023',
          text: 'Ben: See my boat. [a boat on a lake]',
        },
        { id: 'D2:1', session: 'session_2', date: '9:00 am on 9 May, 2023', text: 'Ana: I sold the boat.' },
      ],
      questions: [{ question: 'Who has a boat?', category: '1 multi-hop', evidence: ['D1:2', 'D2:1'] }],
    },
  ])
})

test('LongMemEval: a history for each question, with the sessions of the answer', async () => {
  const [read] = (await published([
    {
      question_id: 'q1_abs',
      question_type: 'multi-session',
      question: 'Which tea?',
      haystack_dates: ['2023/05/20 (Sat) 02:21', '2023/05/21 (Sun) 10:00'],
      haystack_session_ids: ['s1', 's2'],
      haystack_sessions: [
        [
          { role: 'user', content: 'I like tea.', has_answer: true },
          { role: 'assistant', content: 'Noted.' },
        ],
        [{ role: 'user', content: 'Hello.' }],
      ],
      answer_session_ids: ['s1'],
    },
  ])) as NonNullable<Awaited<ReturnType<typeof readPublished>>>
  expect(read?.turns.map(({ id, session, text }) => [id, session, text])).toEqual([
    ['s1:0', 's1', 'user: I like tea.'],
    ['s1:1', 's1', 'assistant: Noted.'],
    ['s2:0', 's2', 'user: Hello.'],
  ])
  expect(read?.questions).toEqual([
    { question: 'Which tea?', category: 'multi-session (abstention)', evidence: ['s1:0'], sessions: ['s1'] },
  ])
})

test('ConvoMem: messages of the conversations, with those that are quoted as evidence', async () => {
  const [read] = (await published({
    evidence_items: [
      {
        category: 'user_evidence',
        question: 'Which car?',
        message_evidences: [{ speaker: 'User', text: 'I drive a Skoda.' }],
        conversations: [{ id: 'c1', messages: [{ speaker: 'User', text: ' I drive a Skoda.' }] }],
      },
    ],
  })) as NonNullable<Awaited<ReturnType<typeof readPublished>>>
  expect(read).toEqual({
    name: 'data-0',
    turns: [{ id: 'c1:0', session: 'c1', text: 'User:  I drive a Skoda.' }],
    questions: [{ question: 'Which car?', category: 'user_evidence', evidence: ['c1:0'] }],
  })
})

test('a file in none of these forms is left to others', async () => {
  expect(await published({ turns: [], questions: [] })).toBeUndefined()
})

test('a sample is spread over all conversations', () => {
  const all = Array.from({ length: 10 }, (_, n) => ({ name: String(n), turns: [], questions: [] }))
  expect(sampled(all, 5).map(({ name }) => name)).toEqual(['0', '2', '4', '6', '8'])
  expect(sampled(all, 20)).toHaveLength(10)
})

test('sessions are found with their first text: shares, any, all, NDCG and MRR', async () => {
  const conversations = (await published(LOCOMO)) ?? []
  const lines: string[] = []
  const log = spyOn(console, 'log').mockImplementation((line: string) => lines.push(line))
  const measures = { recall5: 0, recall10: 0, recall20: 0, hit10: 0, reciprocalRank: 0 }
  // A text of no session of the evidence comes first, then two of the same session.
  printSessions(conversations, [{ file: 'conv-1', category: '1', found: ['D7:7', 'D1:1', 'D1:2'], measures }])
  log.mockRestore()
  const ndcg = (1 / Math.log2(3) / (1 + 1 / Math.log2(3))).toFixed(4)
  expect(lines[1]?.split(/ +/)).toEqual([
    'all',
    '1',
    '0.5000',
    '1.0000',
    '0.0000',
    '0.5000',
    '1.0000',
    '0.0000',
    ndcg,
    '0.5000',
  ])
})
