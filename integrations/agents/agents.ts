import { join } from 'node:path'

/** One change to a file of a coding agent, which can be taken back without touching anything else in it. */
export type Change = { readonly path: string } & (
  | /** A value at a place of a JSON file. */ {
      readonly kind: 'entry'
      readonly at: readonly string[]
      readonly value: unknown
    }
  | /** A value that a JSON file must have, unless it has one. */ {
      readonly kind: 'default'
      readonly at: readonly string[]
      readonly value: unknown
    }
  | /** An element of a list in a JSON file. */ {
      readonly kind: 'element'
      readonly at: readonly string[]
      readonly value: unknown
    }
  | /** Lines at the end of a TOML file, between two comments. */ { readonly kind: 'lines'; readonly text: string }
  | /** A file of our own, or with `from` a copy of a file of the bundle. */ {
      readonly kind: 'file'
      readonly text?: string
      readonly from?: string
    }
)

/** A coding agent: where its settings are, and what makes it recall and remember. */
export interface Agent {
  readonly id: string
  readonly name: string
  /** The folder of its settings; the agent is on the machine where this is. */
  readonly folder: (home: string, environment: Environment) => string
  readonly changes: (folder: string, home: string, environment: Environment) => readonly Change[]
  /** Tells the user what is left to do. */
  readonly left?: string
}

export type Environment = Readonly<Record<string, string | undefined>>

/** The program lies in the home folder of whoever runs it, so no file of settings holds a path of this machine. */
const PROGRAM = '"$HOME/.mneme/mneme.mjs"'
const MCP = { command: 'sh', args: ['-c', `exec node ${PROGRAM} mcp`] }

const hookOf = (agent: string) => ({ type: 'command', command: `node ${PROGRAM} hook ${agent}`, timeout: 5 })

const skillIn = (folder: string): Change => ({
  kind: 'file',
  path: join(folder, 'skills', 'mneme-memory', 'SKILL.md'),
  from: 'skills/memory/SKILL.md',
})

const grouped = (path: string, agent: string, events: readonly string[]): Change[] =>
  events.map(event => ({ kind: 'element', path, at: ['hooks', event], value: { hooks: [hookOf(agent)] } }))

export const AGENTS: readonly Agent[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    folder: (home, { CLAUDE_CONFIG_DIR }) => CLAUDE_CONFIG_DIR ?? join(home, '.claude'),
    changes: (folder, home, { CLAUDE_CONFIG_DIR }) => [
      ...grouped(join(folder, 'settings.json'), 'claude-code', [
        'SessionStart',
        'UserPromptSubmit',
        'Stop',
        'PreCompact',
        'SessionEnd',
      ]),
      {
        kind: 'entry',
        path: join(CLAUDE_CONFIG_DIR ?? home, '.claude.json'),
        at: ['mcpServers', 'mneme'],
        value: { type: 'stdio', ...MCP },
      },
      skillIn(folder),
    ],
  },
  {
    id: 'codex',
    name: 'Codex',
    folder: (home, { CODEX_HOME }) => CODEX_HOME ?? join(home, '.codex'),
    changes: folder => [
      ...grouped(join(folder, 'hooks.json'), 'codex', ['SessionStart', 'UserPromptSubmit', 'Stop', 'PreCompact']),
      {
        kind: 'lines',
        path: join(folder, 'config.toml'),
        text: `[mcp_servers.mneme]\ncommand = ${JSON.stringify(MCP.command)}\nargs = ${JSON.stringify(MCP.args)}`,
      },
      skillIn(folder),
    ],
    left: 'Codex runs a new hook only when you have trusted it: start codex and type /hooks.',
  },
  {
    id: 'cursor',
    name: 'Cursor',
    folder: home => join(home, '.cursor'),
    changes: folder => [
      { kind: 'default', path: join(folder, 'hooks.json'), at: ['version'], value: 1 },
      ...['sessionStart', 'beforeSubmitPrompt', 'afterAgentResponse', 'preCompact', 'sessionEnd'].map(
        (event): Change => ({
          kind: 'element',
          path: join(folder, 'hooks.json'),
          at: ['hooks', event],
          value: { command: hookOf('cursor').command },
        }),
      ),
      { kind: 'entry', path: join(folder, 'mcp.json'), at: ['mcpServers', 'mneme'], value: MCP },
      skillIn(folder),
    ],
  },
  {
    id: 'opencode',
    name: 'OpenCode',
    folder: (home, { XDG_CONFIG_HOME }) => join(XDG_CONFIG_HOME ?? join(home, '.config'), 'opencode'),
    changes: folder => [
      {
        kind: 'entry',
        path: join(folder, 'opencode.json'),
        at: ['mcp', 'mneme'],
        value: { type: 'local', command: [MCP.command, ...MCP.args], enabled: true },
      },
      { kind: 'file', path: join(folder, 'plugins', 'mneme.js'), from: 'opencode.js' },
      skillIn(folder),
    ],
  },
  {
    id: 'copilot-cli',
    name: 'Copilot CLI',
    folder: (home, { COPILOT_HOME }) => COPILOT_HOME ?? join(home, '.copilot'),
    changes: folder => [
      {
        kind: 'file',
        path: join(folder, 'hooks', 'mneme.json'),
        text: `${JSON.stringify(copilotHooks(), null, 2)}\n`,
      },
      {
        kind: 'entry',
        path: join(folder, 'mcp-config.json'),
        at: ['mcpServers', 'mneme'],
        value: { type: 'local', ...MCP, tools: ['*'] },
      },
      skillIn(folder),
    ],
  },
]

/** Named in this case, its moments come with their names in the input. */
function copilotHooks() {
  const events = ['SessionStart', 'UserPromptSubmit', 'Stop', 'PreCompact', 'SessionEnd']
  const hook = { type: 'command', bash: hookOf('copilot-cli').command, timeoutSec: 5 }
  return { version: 1, hooks: Object.fromEntries(events.map(event => [event, [hook]])) }
}
