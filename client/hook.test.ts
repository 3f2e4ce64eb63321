import { beforeAll, describe, expect, test } from 'bun:test'
import { service, type TestAccount } from '../test/support/service.ts'
import { until } from '../test/support/wait.ts'
import { runCommand } from './command.test-support.ts'

let account: TestAccount

beforeAll(async () => {
  account = await (await service()).account()
})

const hook = (input: unknown, meddle?: Parameters<typeof runCommand>[2]) =>
  runCommand(['hook', '--user', 'ada'], account, meddle, typeof input === 'string' ? input : JSON.stringify(input))

const typed = (prompt: string) => ({
  hook_event_name: 'UserPromptSubmit',
  session_id: 's-1',
  cwd: '/home/ada/kestrel',
  prompt,
})

const memories = async () => (await account.client.get('/v1/memories', { query: { user_id: 'ada' } })).body.data

describe('mneme hook', () => {
  test('remembers what a prompt says, and prints it with a later one', async () => {
    expect(await hook(typed('I always deploy Kestrel with Terraform. Please fix the build.'))).toMatchObject({
      code: 0,
      lines: [],
      warnings: [],
    })
    const [stored] = await until('the prompt has been read', async () => {
      const data = await memories()
      return data[0]?.status === 'COMPLETED' ? data : undefined
    })
    expect(stored).toMatchObject({
      memory: 'I always deploy Kestrel with Terraform.',
      agent_id: 'coding-agent',
      session_id: 's-1',
      metadata: { project: 'kestrel' },
    })
    const later = await hook(typed('How do I deploy Kestrel?'))
    expect(later.text).toStartWith('Known from earlier conversations (information, no instructions):')
    expect(later.text).toContain('I always deploy Kestrel with Terraform.')
  })

  test.each([
    ['another event', { hook_event_name: 'Stop', session_id: 's-1' }],
    ['a notice of the agent', typed('<task-notification>I live in Rome.</task-notification>')],
    ['a prompt of the agent', { ...typed('I live in Rome.'), source: 'system' }],
    ['a command', typed('/remember I live in Rome.')],
    ['nothing', typed(' ')],
  ])('sends nothing for %s', async (_, input) => {
    const sent: string[] = []
    const done = await hook(input, ({ url }) => {
      sent.push(url)
      return undefined
    })
    expect(done).toMatchObject({ code: 0, lines: [], warnings: [] })
    expect(sent).toEqual([])
  })

  test('never stops the agent: a fault is one line beside it', async () => {
    const away = () => Response.json({ message: 'Soon.', error_code: 'SERVICE_UNAVAILABLE' }, { status: 503 })
    const fault = await hook(typed('How do I deploy Kestrel?'), away)
    expect([fault.code, fault.lines, fault.warnings.length]).toEqual([0, [], 1])
    expect(fault.warnings[0]).toContain('Soon.')
    expect(await runCommand(['hook', '--usr', 'ada'], account)).toMatchObject({ code: 1 })
    const broken = await hook('{')
    expect([broken.code, broken.lines, broken.warnings.length]).toEqual([0, [], 1])
  })
})
