/** The operator's commands; all others are the client's. */
const OPERATING = new Set(['doctor', 'purge', 'reseal', 'reset-password'])

export const USAGE = `Usage:
  mneme                                    starts the service in this folder, with its data in .data
  mneme import | export | chats            what a client does: \`mneme import --help\` has all options
  mneme install | uninstall AGENT…         connects Claude Code, Codex, Cursor, OpenCode and Copilot CLI
  mneme mcp                                speaks MCP over standard input and output
  mneme doctor | purge | reseal | reset-password
                                           what an operator does to the data in this folder: \`mneme doctor --help\`
  mneme workers                            does the jobs of servers that share a DATABASE_URL
  mneme command PLUGIN COMMAND             runs a command of a plugin: \`mneme command --help\` lists them`

export function asksForUsage(words) {
  return words.length === 1 && (words[0] === '--help' || words[0] === '-h')
}

/** Names the program of the code that words of a command line mean, and what it is given. */
export function entryOf(words) {
  const [first = '', ...rest] = words
  if (first === '' || OPERATING.has(first)) return ['server/main.ts', ...words]
  if (first === 'workers') return ['workers/main.ts', ...rest]
  if (first === 'command') return ['server/command.ts', ...rest]
  return ['client/mneme.ts', ...words]
}
