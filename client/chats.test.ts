import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { service, type TestAccount } from '../test/support/service.ts'
import { runCommand } from './command.test-support.ts'

let folder: string
let account: TestAccount

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mneme-chats-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Submits a file of chats for Ada of a new account, and returns what was said about it and her memories by the order of their making. */
async function submit(content: unknown, words: string[] = [], meddle?: Parameters<typeof runCommand>[2]) {
  account = await (await service()).account()
  const path = join(folder, `${crypto.randomUUID()}.json`)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  const done = await runCommand(['chats', path, '--user', 'ada', ...words], account, meddle)
  const { data } = (await account.client.get('/v1/memories', { query: { user_id: 'ada', page_size: 100 } })).body
  return { ...done, memories: data.toReversed() }
}

interface Said {
  readonly role: string
  readonly parts: readonly unknown[]
  readonly parent: string | null
  readonly type?: string
  readonly hidden?: boolean
  readonly recipient?: string
}

/** A node of a chat as ChatGPT gives it out. */
function node({ role, parts, parent, type = 'text', hidden = false, recipient = 'all' }: Said) {
  const message = {
    author: { role, name: null, metadata: {} },
    create_time: 1_715_000_000.25,
    content: { content_type: type, parts },
    recipient,
    metadata: hidden ? { is_visually_hidden_from_conversation: true } : {},
  }
  return { message, parent, children: [] }
}

const CHATGPT = {
  title: 'Moving house',
  create_time: 1_715_000_000.1,
  conversation_id: '8f3a2b1c-0000-4000-8000-000000000001',
  current_node: 'later',
  mapping: {
    root: { message: null, parent: null, children: ['hidden'] },
    hidden: node({ role: 'user', parts: ['I am a hidden instruction about Mars.'], parent: 'root', hidden: true }),
    draft: node({ role: 'user', parts: ['I live in Hamburg.'], parent: 'hidden' }),
    first: node({
      role: 'user',
      type: 'multimodal_text',
      parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'file://1' }, 'I live in Bremen with my dog Otto.'],
      parent: 'hidden',
    }),
    call: node({ role: 'assistant', parts: ['{"search": "Bremen"}'], parent: 'first', recipient: 'web' }),
    thought: node({ role: 'assistant', type: 'thoughts', parts: [], parent: 'call' }),
    reply: node({ role: 'assistant', parts: ['How nice!'], parent: 'thought' }),
    later: node({ role: 'user', parts: ['I play the viola in an orchestra.'], parent: 'reply' }),
  },
}

describe('mneme chats', () => {
  test('makes memories of what the person said to ChatGPT, by the branch that is shown', async () => {
    const { code, text, memories } = await submit([CHATGPT], ['--categories', 'chats, old'])
    expect(text).toBe('2 memories of 1 chat, 0 failed')
    expect(code).toBe(0)
    expect(memories.map(({ memory }: { memory: string }) => memory)).toEqual([
      'I live in Bremen with my dog Otto.',
      'I play the viola in an orchestra.',
    ])
    expect(memories[0]).toMatchObject({
      agent_id: 'chatgpt',
      session_id: '8f3a2b1c-0000-4000-8000-000000000001',
      categories: ['chats', 'old'],
      metadata: { title: 'Moving house', said_at: '2024-05-06T12:53:20.250Z' },
    })
  })

  test('makes memories of what the person said to Claude, and of a chat once', async () => {
    const chat = {
      uuid: 'c-1',
      name: '',
      chat_messages: [
        { sender: 'human', text: 'I work at Fernhill.', created_at: '2025-03-01T10:00:00Z' },
        {
          sender: 'assistant',
          text: '',
          content: [{ type: 'text', text: 'Good.' }],
          created_at: '2025-03-01T10:01:00Z',
        },
        {
          sender: 'human',
          text: 'The same in short',
          content: [
            { type: 'text', text: 'I have two sisters.' },
            { type: 'tool_result', text: 'I live on the moon.' },
          ],
          created_at: '2025-03-01T10:02:00Z',
        },
      ],
    }
    const empty = { uuid: 'c-2', name: 'Nothing', chat_messages: [{ sender: 'assistant', text: 'Hello!' }] }
    const { text, memories } = await submit([chat, chat, empty])
    expect(text).toBe('2 memories of 2 chats, 0 failed')
    expect(memories.map(({ memory }: { memory: string }) => memory)).toEqual([
      'I work at Fernhill.',
      'I have two sisters.',
    ])
    expect(memories[1]).toMatchObject({ agent_id: 'claude', metadata: { said_at: '2025-03-01T10:02:00.000Z' } })
  })

  test('counts the memories of chats that are read at once, and none of them again', async () => {
    const towns = ['Bremen', 'Ghent', 'Turin', 'Porto', 'Graz', 'Cork', 'Malmö']
    const chats = towns.map(town => ({
      id: town,
      created_at: '2025-03-01T10:00:00Z',
      messages: [{ role: 'user', content: `My aunt lives in ${town}.` }],
    }))
    const { text, memories } = await submit(chats)
    expect(text).toBe('7 memories of 7 chats, 0 failed')
    expect(memories).toHaveLength(7)
    const path = join(folder, 'again.json')
    await writeFile(path, JSON.stringify(chats))
    const again = await runCommand(['chats', path, '--user', 'ada'], account)
    expect(again.text).toBe('0 memories of 7 chats, 0 failed')
  })

  test('dates chats of other programs by the time that they say, in whatever unit', async () => {
    const said = Date.UTC(2025, 2, 1, 10)
    const times = [
      { createdAt: said },
      { timestamp: said / 1000 },
      { created_at: String(said) },
      { time: said * 1000 },
      { date: 'Sat, 01 Mar 2025 10:00:00 GMT' },
      { createdAt: '2025-03-01 10:00:00Z' },
    ]
    const towns = ['Bremen', 'Ghent', 'Turin', 'Porto', 'Graz', 'Cork']
    const chats = times.map((time, n) => ({
      messages: [{ role: 'user', content: `My aunt lives in ${towns[n]}.`, ...time }],
    }))
    const later = { role: 'user', content: 'My uncle paints in oil.' }
    const { text, memories } = await submit([...chats, { createdAt: said, messages: [later] }])
    expect(text).toBe('7 memories of 7 chats, 0 failed')
    const days = memories.map(({ metadata }: { metadata: { said_at: string } }) => metadata.said_at)
    expect(new Set(days)).toEqual(new Set(['2025-03-01T10:00:00.000Z']))
  })

  test('says which chats have no time that is understood, and which attachments are left out', async () => {
    const chats = [
      { name: 'Undated', messages: [{ role: 'user', content: 'I collect stamps.', date: '03/04/2025' }] },
      {
        uuid: 'c-3',
        name: 'With a file',
        created_at: '2025-03-01T10:00:00Z',
        chat_messages: [
          {
            sender: 'human',
            text: 'I paint in oil.',
            attachments: [{ file_name: 'letter.txt', extracted_content: 'I live on the moon.' }],
            files: [{ file_name: 'photo.png' }],
          },
        ],
      },
    ]
    const { code, text, memories } = await submit(chats)
    expect(text).toContain('no time      1 chat (Undated)')
    expect(text).toContain('left out     2 attachments (letter.txt, photo.png)')
    expect(code).toBe(0)
    const found = memories.map(({ memory, metadata }: { memory: string; metadata: { said_at: unknown } }) => [
      memory,
      metadata.said_at,
    ])
    expect(new Map(found)).toEqual(
      new Map([
        ['I collect stamps.', null],
        ['I paint in oil.', '2025-03-01T10:00:00.000Z'],
      ]),
    )
  })

  test('says which chats are not understood, and fails where nothing of a file is', async () => {
    const foreign = { id: 'z1', title: 'Foreign', messages: [{ sender: 'Me', text: 'I own a boat.' }] }
    const shapeless = { name: 'Shapeless', messages: [{ role: 'user', body: 'I own a car.' }] }
    const nothing = await submit([foreign, shapeless])
    expect(nothing.text).toBe('not understood: 2 chats (Foreign, Shapeless)\n0 memories of 0 chats, 0 failed')
    expect(nothing.code).toBe(1)
    const good = { messages: [{ role: 'user', content: 'I rent a garden.', created_at: '2024-08-09T10:11:12Z' }] }
    const some = await submit([foreign, good, { id: 'odd' }, { messages: [{ role: 'system', content: 'Be kind.' }] }])
    expect(some.text).toBe('not understood: 2 chats (Foreign, odd)\n1 memories of 1 chat, 0 failed')
    expect(some.code).toBe(0)
  })

  test('takes the chats of Telegram and LM Studio', async () => {
    const message = (from: string, text: unknown) => ({
      type: 'message',
      date_unixtime: '1723198272',
      from_id: from,
      text,
    })
    const telegram = {
      name: 'Bot',
      type: 'personal_chat',
      id: 5,
      messages: [
        message('user1', ['My boat is called ', { type: 'bold', text: 'Svala' }, '.']),
        message('user5', 'I am a bot.'),
      ],
    }
    const version = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] })
    const studio = {
      name: 'LM',
      createdAt: 1_723_198_272_000,
      messages: [
        { versions: [version('I keep cats.'), version('I keep bees in Uppsala.')], currentlySelected: 1 },
        { versions: [{ role: 'assistant', steps: [{ content: [{ type: 'text', text: 'Nice.' }] }] }] },
      ],
    }
    const { code, text, memories } = await submit([telegram, studio])
    expect([code, text]).toEqual([0, '2 memories of 2 chats, 0 failed'])
    expect(memories.map(({ memory }: { memory: string }) => memory).toSorted()).toEqual([
      'I keep bees in Uppsala.',
      'My boat is called Svala.',
    ])
    expect(memories[0].metadata.said_at).toBe('2024-08-09T10:11:12.000Z')
  })

  test('takes a single chat of roles and contents, and leaves out times that cannot be', async () => {
    const messages = [
      { role: 'system', content: 'You are kind.' },
      { role: 'user', content: 'I collect stamps.\u0000', created_at: 'some day' },
      { role: 'user', content: [{ type: 'text', text: 'I paint in oil.' }], timestamp: 99_999_999_999 },
    ]
    const { code, memories } = await submit({ messages })
    expect(code).toBe(0)
    expect(memories.map(({ memory }: { memory: string }) => memory)).toEqual(['I collect stamps.', 'I paint in oil.'])
  })

  test('divides what is longer than one conversation may be, and loses none of it', async () => {
    const log = 'error: the pump stopped\n'.repeat(2200)
    const small = Array.from({ length: 1100 }, (_, n) => ({ role: n % 2 ? 'assistant' : 'user', content: `ok ${n}` }))
    const messages = [{ role: 'user', content: log }, ...small, { role: 'user', content: 'I own a sailing boat.' }]
    const sent: number[] = []
    const { code, memories } = await submit({ id: 'long', messages }, [], async request => {
      if (request.method === 'POST') sent.push((await request.json()).messages.length)
      return undefined
    })
    expect([code, sent]).toEqual([0, [1000, 103]])
    expect(memories.map(({ memory }: { memory: string }) => memory)).toContain('I own a sailing boat.')
  })

  test.each([
    ['{"a": 1}', 'it has no chats'],
    ['[]', 'it has no chats'],
    ['PK\u0003\u0004', 'it is not JSON: unpack the archive first'],
  ])('says of %j what is wrong with it', async (content, fault) => {
    const { code, text } = await submit(content)
    expect(text).toContain(fault)
    expect(code).toBe(1)
  })

  test('names a file that is not there, and reads the others', async () => {
    account = await (await service()).account()
    const path = join(folder, 'there.json')
    await writeFile(path, JSON.stringify([CHATGPT]))
    const { code, text } = await runCommand(['chats', join(folder, 'none.json'), path], account)
    expect(text).toContain('none.json: there is no such file or folder')
    expect(text).toContain('2 memories of 1 chat, 1 failed')
    expect(code).toBe(1)
  })

  test('goes on behind a chat that the service refuses, and says which', async () => {
    const other = { ...CHATGPT, title: 'Refused', conversation_id: 'r' }
    let refused = 0
    const { code, text, memories } = await submit([other, CHATGPT], [], request => {
      if (request.method !== 'POST' || refused++ > 0) return undefined
      return Response.json({ status_code: 400, message: 'No.', error_code: 'VALIDATION_ERROR' }, { status: 400 })
    })
    expect(text).toContain('failed       Refused: No.')
    expect([code, memories.length]).toEqual([1, 2])
  })
})
