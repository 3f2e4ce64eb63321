import { beforeAll, describe, expect, test } from 'bun:test'
import { lstat, mkdir, mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { mneme } from '../../client/mneme.ts'
import { service, type TestAccount } from '../../test/support/service.ts'

let account: TestAccount
let key: string

beforeAll(async () => {
  account = await (await service()).account()
  key = account.client.headers['X-Api-Key'] ?? account.client.headers['x-api-key'] ?? ''
})

/** Settings as people have them: with other hooks, other servers, comments and an indentation of their own. */
const SETTINGS: Readonly<Record<string, string>> = {
  '.claude/settings.json': json(4, {
    model: 'opus',
    hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }] },
  }),
  '.claude.json': json(2, { numStartups: 12, mcpServers: { github: { command: 'gh' } }, projects: {} }),
  '.codex/config.toml': 'model = "gpt-5"\n\n[mcp_servers.docs]\nurl = "https://example.com/mcp"\n',
  '.cursor/hooks.json': json('\t', { version: 1, hooks: { stop: [{ command: './mine.sh' }] } }),
  '.config/opencode/opencode.json': '{\n  // The theme that I like.\n  "theme": "system"\n}\n',
  '.copilot/mcp-config.json': json(2, { mcpServers: { docs: { type: 'http', url: 'https://example.com/mcp' } } }),
}

function json(indent: number | string, value: object): string {
  return `${JSON.stringify(value, null, indent)}\n`
}

async function homeWith(settings: Readonly<Record<string, string>>): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'mneme-home-'))
  for (const [path, content] of Object.entries(settings)) {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), content)
  }
  return home
}

async function run(
  words: readonly string[],
  home: string,
  { ask, given = key }: { ask?: string; given?: string } = {},
) {
  const [lines, warnings, questions]: [string[], string[], string[]] = [[], [], []]
  const code = await mneme(words, {
    environment: { HOME: home, MNEME_API_KEY: given, MNEME_URL: 'http://mneme.test' },
    terminal: {
      print: line => lines.push(line),
      warn: line => warnings.push(line),
      input: async () => '',
      ask: ask === undefined ? undefined : async question => (questions.push(question) > 0 ? ask : ''),
      bar: () => ({ update: () => undefined, stop: () => undefined }),
    },
    service: {
      fetch: Object.assign(
        (input: string | URL | Request, init?: RequestInit) => account.client.fetch(new Request(input, init)),
        { preconnect: () => undefined },
      ),
    },
  })
  return { code, text: lines.join('\n'), questions }
}

/** All files below a folder with what they hold. */
async function filesOf(home: string): Promise<Record<string, string>> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const read = files.map(async path => [path.slice(home.length + 1), await readFile(path, 'utf8')] as const)
  return Object.fromEntries(await Promise.all(read))
}

test('install and uninstall leave what others have written byte for byte', async () => {
  const home = await homeWith(SETTINGS)
  expect(await run(['install', 'all', '--yes'], home)).toMatchObject({ code: 0 })
  const files = await filesOf(home)
  expect(files['.claude/settings.json']).toContain('say done')
  for (const [path, content] of Object.entries(files)) expect([path, content.includes(home)]).toEqual([path, false])
  const settings = JSON.parse(files['.claude/settings.json'] ?? '')
  expect(Object.keys(settings.hooks)).toEqual(['Stop', 'SessionStart', 'UserPromptSubmit', 'PreCompact', 'SessionEnd'])
  expect(settings.hooks.Stop).toHaveLength(2)
  expect(JSON.parse(files['.claude.json'] ?? '').mcpServers).toMatchObject({ github: {}, mneme: { type: 'stdio' } })
  expect(files['.codex/config.toml']).toContain('[mcp_servers.mneme]\ncommand = "sh"')
  expect(files['.config/opencode/opencode.json']).toContain('// The theme that I like.')
  expect(JSON.parse(files['.cursor/hooks.json'] ?? '').hooks.stop).toHaveLength(1)
  expect((await stat(join(home, '.mneme/config.json'))).mode & 0o777).toBe(0o600)
  // Only one file holds the key.
  expect(Object.entries(files).flatMap(([path, content]) => (content.includes(key) ? [path] : []))).toEqual([
    '.mneme/config.json',
  ])

  expect(await run(['install', 'all', '--yes'], home)).toMatchObject({ code: 0 })
  expect(await filesOf(home)).toEqual(files)

  expect(await run(['uninstall', 'cursor', '--yes'], home)).toMatchObject({ code: 0 })
  expect((await filesOf(home))['.claude/settings.json']).toBe(files['.claude/settings.json'] ?? '')
  expect(await run(['uninstall', 'all', '--yes'], home)).toMatchObject({ code: 0 })
  expect(await filesOf(home)).toEqual(SETTINGS)
  const paths = await readdir(home, { recursive: true })
  expect(paths.filter(path => /skills|plugins?$|hooks$/.test(path))).toEqual([])
})

test('nothing is written before somebody has agreed to what is shown', async () => {
  const home = await homeWith({ '.claude/settings.json': '{}\n' })
  const refused = await run(['install', 'claude-code'], home, { ask: 'n' })
  expect(refused).toMatchObject({ code: 1, questions: ['Write this? [y/N] '] })
  expect(refused.text).toContain('~/.claude/settings.json  hooks.SessionStart')
  expect(await run(['install', 'claude-code'], home)).toMatchObject({
    code: 1,
    text: expect.stringContaining('give --yes'),
  })
  expect(await filesOf(home)).toEqual({ '.claude/settings.json': '{}\n' })
  expect(await run(['install', 'claude-code'], home, { ask: 'yes' })).toMatchObject({ code: 0 })
  expect(Object.keys(await filesOf(home))).toContain('.claude/skills/mneme-memory/SKILL.md')
})

test('a server of that name that somebody else has set up stays', async () => {
  const own = '{"mcpServers": {"mneme": {"type": "http", "url": "http://127.0.0.1:3000/v1/mcp"}}}'
  const home = await homeWith({ '.claude/settings.json': '{}\n', '.claude.json': own })
  const done = await run(['install', 'claude-code', '--yes'], home)
  expect(done).toMatchObject({ code: 0, text: expect.stringContaining('has another mcpServers.mneme, which stays') })
  await run(['uninstall', 'claude-code', '--yes'], home)
  expect((await filesOf(home))['.claude.json']).toBe(own)
})

test('settings that are links stay links', async () => {
  const home = await homeWith({ 'dotfiles/settings.json': '{}\n', '.claude/keep': '' })
  await symlink(join(home, 'dotfiles/settings.json'), join(home, '.claude/settings.json'))
  await run(['install', 'claude-code', '--yes'], home)
  expect((await lstat(join(home, '.claude/settings.json'))).isSymbolicLink()).toBe(true)
  expect((await filesOf(home))['dotfiles/settings.json']).toContain('UserPromptSubmit')
})

describe('install ends with what is wrong, and writes nothing', () => {
  test.each([
    [
      'an agent that there is not',
      ['install', 'emacs', '--yes'],
      2,
      'Name claude-code, codex, cursor, opencode, copilot-cli, or all.',
    ],
    ['one that is not on this machine', ['install', 'codex', '--yes'], 1, 'None of these is on this machine: codex.'],
    ['no agent', ['install'], 2, 'Usage:'],
    [
      'a key that the service does not know',
      ['install', 'all', '--yes', '--key', 'mn_live_wrong'],
      3,
      'does not know this key',
    ],
    ['an address that is none', ['install', 'all', '--yes', '--url', 'localhost'], 2, 'no address of a service'],
    ['a file of a key that is not there', ['install', 'all', '--yes', '--key-file', '/nowhere/key'], 2, '/nowhere/key'],
  ])('for %s', async (_, words, code, said) => {
    const home = await homeWith({ '.claude/settings.json': '{}\n' })
    expect(await run(words, home)).toMatchObject({ code, text: expect.stringContaining(said) })
    expect(await filesOf(home)).toEqual({ '.claude/settings.json': '{}\n' })
  })

  test('for settings that are no JSON: the file stays, and is named', async () => {
    const home = await homeWith({ '.claude/settings.json': '{"hooks": ' })
    const done = await run(['install', 'claude-code', '--yes'], home)
    expect(done.text).toContain('~/.claude/settings.json holds no valid JSON object')
    expect((await filesOf(home))['.claude/settings.json']).toBe('{"hooks": ')
  })
})
