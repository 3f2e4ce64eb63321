import { beforeAll, describe, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Json } from '../../test/kit/client.ts'
import type { Client } from '../../test/support/client.ts'
import { preparedStore, type ServerProcess, startServer } from '../../test/support/process.ts'
import { until } from '../../test/support/wait.ts'

const PROGRAM = fileURLToPath(new URL('./plugin/mneme.mjs', import.meta.url))
const OPENCODE = fileURLToPath(new URL('./plugin/opencode.js', import.meta.url))

let server: ServerProcess
let client: Client
let key: string

beforeAll(async () => {
  key = `mn_live_${'a1b2c3d4'.repeat(4)}`
  server = await startServer({ ...(await preparedStore()), BOOTSTRAP_API_KEY: key })
  client = server.client(key)
})

interface Home {
  readonly path: string
  readonly user: string
  readonly url: string
}

/** A slow machine is no fault of the hook, so it may wait long, unless a test is about that. */
const WAIT_MS = 60_000

async function home(user: string, url = server.url, wait_ms = WAIT_MS): Promise<Home> {
  const path = await mkdtemp(join(tmpdir(), 'mneme-hooks-'))
  await mkdir(join(path, '.mneme'))
  await writeFile(join(path, '.mneme', 'config.json'), JSON.stringify({ url, key, user, wait_ms }))
  return { path, user, url }
}

/** Runs the program by Node, as agents do, with an input. */
async function run(words: readonly string[], at: Home, input = '') {
  const child = spawn('node', [PROGRAM, ...words], { env: { PATH: process.env.PATH, HOME: at.path } })
  child.stdin.end(input)
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  const [output, faults] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, output, faults }
}

const hook = async (agent: string, at: Home, input: object) => {
  const { code, output, faults } = await run(['hook', agent], at, JSON.stringify(input))
  return { code, faults, ...JSON.parse(output) }
}

const pending = (at: Home) => readdir(join(at.path, '.mneme', 'pending')).catch((): string[] => [])
const stored = async (user: string) => (await client.get('/v1/memories', { query: { user_id: user } })).body.data
const firstOf = (user: string) =>
  until(`a memory of ${user} is processed`, async () => {
    const [memory] = await stored(user)
    return memory?.status === 'COMPLETED' ? memory : undefined
  })

/** Inputs of each agent as they were recorded, and where it reads what a hook tells it. */
const RECORDED = [
  {
    agent: 'claude-code',
    start: {
      session_id: 's1',
      transcript_path: '/t.jsonl',
      cwd: '/w/kestrel',
      hook_event_name: 'SessionStart',
      source: 'startup',
    },
    prompt: { session_id: 's1', cwd: '/w/kestrel', permission_mode: 'default', hook_event_name: 'UserPromptSubmit' },
    reply: {
      session_id: 's1',
      cwd: '/w/kestrel',
      hook_event_name: 'Stop',
      stop_hook_active: false,
      last_assistant_message: 'Noted.',
    },
    told: (found: Json) => found.hookSpecificOutput?.additionalContext,
    isToldOfPrompts: true,
  },
  {
    agent: 'codex',
    start: { session_id: 's1', cwd: '/w/kestrel', hook_event_name: 'SessionStart', model: 'gpt-5', source: 'startup' },
    prompt: { session_id: 's1', turn_id: 't1', cwd: '/w/kestrel', hook_event_name: 'UserPromptSubmit', model: 'gpt-5' },
    reply: {
      session_id: 's1',
      turn_id: 't1',
      cwd: '/w/kestrel',
      hook_event_name: 'Stop',
      last_assistant_message: 'Noted.',
    },
    told: (found: Json) => found.hookSpecificOutput?.additionalContext,
    isToldOfPrompts: true,
  },
  {
    agent: 'cursor',
    start: {
      conversation_id: 's1',
      hook_event_name: 'sessionStart',
      workspace_roots: ['/w/kestrel'],
      composer_mode: 'agent',
    },
    prompt: {
      conversation_id: 's1',
      generation_id: 'g1',
      hook_event_name: 'beforeSubmitPrompt',
      workspace_roots: ['/w/kestrel'],
    },
    reply: {
      conversation_id: 's1',
      hook_event_name: 'afterAgentResponse',
      workspace_roots: ['/w/kestrel'],
      text: 'Noted.',
    },
    told: (found: Json) => found.additional_context,
    isToldOfPrompts: false,
  },
  {
    agent: 'copilot-cli',
    start: {
      hook_event_name: 'SessionStart',
      session_id: 's1',
      timestamp: '2026-11-30T09:00:00Z',
      cwd: '/w/kestrel',
      source: 'new',
    },
    prompt: {
      hook_event_name: 'UserPromptSubmit',
      session_id: 's1',
      timestamp: '2026-11-30T09:00:01Z',
      cwd: '/w/kestrel',
    },
    reply: {
      hook_event_name: 'Stop',
      session_id: 's1',
      timestamp: '2026-11-30T09:00:02Z',
      cwd: '/w/kestrel',
      stop_reason: 'end_turn',
    },
    told: (found: Json) => found.additionalContext,
    isToldOfPrompts: false,
  },
] as const

describe.each(RECORDED)('hooks of $agent', ({ agent, start, prompt, reply, told, isToldOfPrompts }) => {
  test('remember a prompt with its reply, and tell the next session of it', async () => {
    const at = await home(`ada-${agent}`)
    const fact = `I always deploy the ${agent} extension with Terraform.`
    expect(await hook(agent, at, start)).toMatchObject({ code: 0, faults: '' })
    await hook(agent, at, { ...prompt, prompt: fact })
    expect(await stored(at.user)).toEqual([])
    await hook(agent, at, reply)
    expect(await firstOf(at.user)).toMatchObject({
      memory: fact,
      agent_id: agent,
      session_id: 's1',
      metadata: { project: 'kestrel' },
    })
    await until('nothing waits any more', async () => (await pending(at)).length === 0)
    const next = await hook(agent, at, { ...start, session_id: 's2' })
    expect([next.faults, told(next)]).toEqual(['', expect.stringContaining(fact)])
    const asked = await hook(agent, at, { ...prompt, prompt: 'How do I deploy the extension?' })
    if (isToldOfPrompts) expect(told(asked)).toContain(fact)
    else expect(told(asked)).toBeUndefined()
  })
})

describe('a hook', () => {
  const typed = (prompt: string) => ({ ...RECORDED[0].prompt, prompt })

  test.each([
    ['another event', { ...RECORDED[0].start, hook_event_name: 'PreToolUse' }],
    ['a notice of the agent', typed('<task-notification>I live in Rome.</task-notification>')],
    ['a prompt of the agent', { ...typed('I live in Rome.'), source: 'system' }],
    ['a command', typed('/remember I live in Rome.')],
    ['nothing', typed(' ')],
  ])('notes nothing of %s', async (_, input) => {
    const at = await home('nobody')
    expect(await hook('claude-code', at, input)).toEqual({ code: 0, faults: '' })
    expect(await pending(at)).toEqual([])
  })

  test('lets the agent go on where the service does not answer in time, and loses nothing', async () => {
    // The service takes requests and never answers.
    const silent = createServer(() => undefined)
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    const at = await home('grace', `http://127.0.0.1:${Object(silent.address()).port}`, 300)
    const asked = await hook('claude-code', at, typed('I moved to Lisbon in May.'))
    expect(asked).toMatchObject({ code: 0, faults: expect.stringContaining('time') })
    silent.closeAllConnections()
    silent.close()
    const later = { ...at, url: server.url }
    await writeFile(join(at.path, '.mneme', 'config.json'), JSON.stringify({ url: server.url, key, user: 'grace' }))
    await hook('claude-code', later, RECORDED[0].reply)
    expect(await firstOf('grace')).toMatchObject({ memory: 'I moved to Lisbon in May.' })
  })

  test('of an agent that was killed is delivered by a later one, once', async () => {
    const at = await home('joan')
    await hook('claude-code', at, typed('I keep bees in Porto.'))
    const [open = ''] = await pending(at)
    expect(open).toEndWith('.open')
    const longAgo = new Date(Date.now() - 2 * 3_600_000)
    await utimes(join(at.path, '.mneme', 'pending', open), longAgo, longAgo)
    await run(['deliver'], at)
    // It has been closed, and the next run takes it along.
    await Promise.all([run(['deliver'], at), run(['deliver'], at)])
    expect(await pending(at)).toEqual([])
    await firstOf('joan')
    expect(await stored('joan')).toHaveLength(1)
  })

  test('delivers what was said first before what was said later, whichever session it was in', async () => {
    const at = await home('ann', 'http://127.0.0.1:9')
    const sessions = Array.from({ length: 6 }, (_, n) => `order-${n}`)
    for (const session_id of sessions) {
      await hook('claude-code', at, { ...typed(`I was in city number ${session_id} today.`), session_id })
      await hook('claude-code', at, { ...RECORDED[0].reply, session_id })
    }
    const asked: string[] = []
    const taking = createServer((request, response) => {
      void text(request).then(body => {
        asked.push(JSON.parse(body).session_id)
        response.end('{}')
      })
    })
    await new Promise<void>(resolve => taking.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${Object(taking.address()).port}`
    await writeFile(join(at.path, '.mneme', 'config.json'), JSON.stringify({ url, key, user: 'ann' }))
    await run(['deliver'], at)
    taking.close()
    // A delivery that a hook began may send the same beside this one; the service tells by its key that it is the same.
    expect([...new Set(asked)]).toEqual(sessions)
  })

  test('reads the last reply from the end of a transcript where the agent gives none', async () => {
    const at = await home('mary')
    const path = join(at.path, 'transcript.jsonl')
    const said = (type: string, words: string) =>
      JSON.stringify({ type, message: { content: [{ type: 'text', text: words }] } })
    const filler = Array.from({ length: 3000 }, (_, n) => said('user', `Line ${n} of a long session.`))
    await writeFile(
      path,
      [...filler, said('assistant', 'I recommended Osprey to you.'), '{"type":"summary"}'].join('\n'),
    )
    await hook('claude-code', at, typed('Which backpack was it, I am vegetarian?'))
    const pendingFile = { ...RECORDED[0].reply, last_assistant_message: undefined, transcript_path: path }
    // Without a service to take it, what was noted can be read.
    await writeFile(
      join(at.path, '.mneme', 'config.json'),
      JSON.stringify({ url: 'http://127.0.0.1:9', key, user: 'mary' }),
    )
    await hook('claude-code', at, pendingFile)
    const [name = ''] = await pending(at)
    const { messages } = await Bun.file(join(at.path, '.mneme', 'pending', name)).json()
    expect(messages.map(({ role, content }: { role: string; content: string }) => [role, content])).toEqual([
      ['user', 'Which backpack was it, I am vegetarian?'],
      ['assistant', 'I recommended Osprey to you.'],
    ])
  })

  test('with a fault of its own settings never stops the agent', async () => {
    const at = await home('kay')
    await writeFile(join(at.path, '.mneme', 'config.json'), '{')
    expect(await run(['hook', 'claude-code'], at, JSON.stringify(typed('Hello there.')))).toMatchObject({
      code: 0,
      output: '',
    })
    await writeFile(
      join(at.path, '.mneme', 'config.json'),
      JSON.stringify({ url: server.url, key: 'mn_live_wrong', user: 'kay', wait_ms: WAIT_MS }),
    )
    const refused = await hook('claude-code', at, typed('Hello there.'))
    expect(refused).toMatchObject({ code: 0, faults: expect.stringContaining('mneme: /v1/context') })
  })
})

test('the plugin of OpenCode tells a prompt what is known, and remembers the exchange', async () => {
  const at = await home('ada-opencode')
  await copyFile(PROGRAM, join(at.path, '.mneme', 'mneme.mjs'))
  const program = `
    const { Mneme } = await import(${JSON.stringify(OPENCODE)})
    const said = [{ info: { role: 'assistant' }, parts: [{ type: 'text', text: 'Noted.' }] }]
    const client = { session: { messages: async () => ({ data: said }) } }
    const hooks = await Mneme({ directory: '/w/kestrel', client })
    const parts = [{ type: 'text', text: process.argv[1] }]
    await hooks['chat.message']({ sessionID: 's1' }, { message: { id: 'm1' }, parts })
    await hooks.event({ event: { type: 'session.idle', properties: { sessionID: 's1' } } })
    console.log(JSON.stringify(parts))`
  const chat = async (prompt: string) => {
    const child = spawn('node', ['--input-type=module', '-e', program, prompt], {
      env: { PATH: process.env.PATH, HOME: at.path },
    })
    return JSON.parse(await text(child.stdout))
  }
  expect(await chat('I always deploy Kestrel with Terraform.')).toHaveLength(1)
  expect(await firstOf(at.user)).toMatchObject({
    agent_id: 'opencode',
    session_id: 's1',
    metadata: { project: 'kestrel' },
  })
  const [, added] = await chat('How do I deploy Kestrel?')
  expect(added).toMatchObject({ type: 'text', synthetic: true, sessionID: 's1', messageID: 'm1' })
  expect(added.text).toContain('deploy Kestrel with Terraform')
})

test('the bridge speaks MCP over standard input and output, and says which service is away', async () => {
  const at = await home('ada-bridge')
  const asked = [
    {
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    },
    { method: 'tools/call', params: { name: 'add_memory', arguments: { memory: 'The bridge is open.' } } },
  ]
  const lines = (of: readonly object[]) => of.map((message, id) => JSON.stringify({ jsonrpc: '2.0', id, ...message }))
  const notice = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
  const [hello = '', ...calls] = lines(asked)
  const { output, code } = await run(['mcp'], at, [hello, notice, ...calls, ''].join('\n'))
  const replies = output
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect([code, replies.map(({ id }) => id)]).toEqual([0, [0, 1]])
  expect(replies[0].result).toMatchObject({ protocolVersion: '2025-06-18', capabilities: { tools: {} } })
  expect(replies[1].result.isError).toBeFalsy()
  expect((await stored(at.user)).map(({ memory }: Json) => memory)).toEqual(['The bridge is open.'])
  const away = await home('ada-bridge', 'http://127.0.0.1:9')
  const [fault] = (await run(['mcp'], away, `${hello}\n`)).output
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(fault).toMatchObject({ id: 0, error: { message: expect.stringContaining('Mneme at http://127.0.0.1:9') } })
})
