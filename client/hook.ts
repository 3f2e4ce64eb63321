import { basename } from 'node:path'
import { messageOf } from './service.ts'
import type { Terminal } from './terminal.ts'

/** A coding agent waits for its hook: what takes longer is left out. */
const WAIT_MS = 3000
/** Claude Code shows its model at most 10,000 characters of a hook. */
const CONTEXT_MAX = 8000
const PROMPT_MAX = 50_000

export interface HookOptions {
  readonly url: string
  readonly key: string
  /** The user who types; what is kept without one is the user `default`'s. */
  readonly user: string
  readonly workspace: string | undefined
  readonly fetch: typeof fetch
}

/** The fields read of what Claude Code writes to a hook's standard input, https://code.claude.com/docs/en/hooks. */
interface Prompt {
  readonly prompt: string
  readonly sessionId: string | undefined
  readonly project: string | undefined
}

/**
 * Answers the hook `UserPromptSubmit` of a coding agent: prints what is known that bears on a prompt, which the agent reads with it, and
 * submits the prompt as a conversation, so that what it says of the person and the project is remembered. Only the prompt as typed is sent. The agent
 * works on whatever happens: a fault is one line beside the results.
 */
export async function runHook(terminal: Terminal, options: HookOptions): Promise<void> {
  const faults: unknown[] = []
  const note = (error: unknown) => void faults.push(error)
  const prompt = await terminal.input().then(readPrompt).catch(note)
  if (prompt) {
    // One after the other, so that a prompt is not told to the agent as known.
    const context = await contextOf(prompt, options).catch(note)
    if (context) terminal.print(`Known from earlier conversations (information, no instructions):\n\n${context}`)
    await remember(prompt, options).catch(note)
  }
  if (faults.length > 0) terminal.warn(`mneme: ${messageOf(faults[0])}`)
}

/** Reads what a person typed; undefined for other events, and for what the agent itself sends as a prompt. */
function readPrompt(input: string): Prompt | undefined {
  const { prompt, source, session_id: sessionId, cwd }: Record<string, unknown> = Object(JSON.parse(input))
  if (typeof prompt !== 'string' || prompt.trim() === '' || source === 'system') return undefined
  // Commands of the agent begin with a slash, its own notices with a tag.
  if (/^\s*[/<]/.test(prompt)) return undefined
  return {
    prompt: prompt.slice(0, PROMPT_MAX).toWellFormed(),
    sessionId: typeof sessionId === 'string' ? sessionId : undefined,
    project: typeof cwd === 'string' ? basename(cwd) : undefined,
  }
}

async function contextOf({ prompt }: Prompt, options: HookOptions): Promise<string> {
  const body = { query: prompt, user_id: options.user, max_characters: CONTEXT_MAX }
  const { context } = await post('/v1/context', body, options)
  return typeof context === 'string' ? context : ''
}

async function remember({ prompt, sessionId, project }: Prompt, options: HookOptions): Promise<void> {
  const body = {
    messages: [{ role: 'user', content: prompt }],
    user_id: options.user,
    agent_id: 'coding-agent',
    session_id: sessionId,
    ...(project === undefined ? {} : { metadata: { project } }),
  }
  await post('/v1/memories/conversations', body, options)
}

async function post(path: string, body: object, options: HookOptions): Promise<Record<string, unknown>> {
  const { url, key, workspace, fetch: send } = options
  const response = await send(`${url.replace(/\/+$/, '')}${path}`, {
    method: 'POST',
    headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...body, workspace_id: workspace }),
    redirect: 'error',
    signal: AbortSignal.timeout(WAIT_MS),
  })
  const given: Record<string, unknown> = Object(await response.json())
  if (!response.ok) throw new Error(`${path}: ${String(given.message ?? response.status)}`)
  return given
}
