/**
 * Fakes Claude's Messages API for tests. It keeps what the real one keeps: keys, models and what each takes, the cache of
 * prompts, and completions that end at `max_tokens`. Written from https://platform.claude.com/docs/en/api/messages,
 * …/api/errors, …/build-with-claude/prompt-caching and …/build-with-claude/thinking-troubleshooting. Failures quote the
 * request and the key, as proxies do.
 */
import { HttpResponse } from 'msw/http'
import { fakeNetwork } from '../../http/fake-network.test-support.ts'

export const FAKE_CLAUDE_URL = 'http://claude.test'
export const FAKE_CLAUDE_KEY = 'sk-ant-very-secret'

/** Names the models, and how they take a forced tool. */
const MODELS: Readonly<Record<string, 'thinks unless told' | 'never thinks' | 'always thinks'>> = {
  'claude-haiku-5-5': 'thinks unless told',
  'claude-3-old': 'never thinks',
  'claude-opus-5-5': 'always thinks',
}

export interface ClaudeRequest {
  readonly model: string
  readonly max_tokens: number
  readonly system: readonly { readonly text: string; readonly cache_control?: unknown }[]
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly tools: readonly { readonly name: string; readonly input_schema: unknown }[]
  readonly tool_choice: { readonly type: string }
  readonly thinking?: { readonly type: string }
}

/** The model's reaction to a request: the input of the tool, or a whole response. */
export type Reply = (request: ClaudeRequest, attempt: number) => unknown | Promise<unknown>

export class FakeClaude {
  readonly requests: ClaudeRequest[] = []
  /** The most requests that were under way at once. */
  concurrencySeen = 0
  readonly #cache = new Set<string>()
  #reply: Reply = () => ({})
  #open = { count: 0 }
  readonly #network = fakeNetwork(`${FAKE_CLAUDE_URL}/v1/messages`, request => this.#handle(request))

  async start(): Promise<void> {
    await this.#network.enable()
  }

  async stop(): Promise<void> {
    await this.#network.disable()
  }

  /** Forgets all requests and responds so from now on. */
  respond(reply: Reply): void {
    this.#reply = reply
    this.requests.length = 0
    this.concurrencySeen = 0
    // Requests that still hang belong to the time before.
    this.#open = { count: 0 }
  }

  async #handle(incoming: Request): Promise<Response> {
    const request: ClaudeRequest = await incoming.json()
    this.requests.push(request)
    const refusal = refuse(request, incoming.headers)
    if (refusal) return refusal
    const open = this.#open
    open.count++
    this.concurrencySeen = Math.max(this.concurrencySeen, open.count)
    try {
      const reply = await this.#reply(request, this.requests.length)
      return reply instanceof Response ? reply : this.#message(request, reply)
    } finally {
      open.count--
    }
  }

  #message(request: ClaudeRequest, input: unknown): Response {
    const output = Math.ceil(JSON.stringify(input).length / 4)
    const content = [{ type: 'tool_use', id: 'toolu_1', name: request.tools[0]?.name, input }]
    // A call that is cut off has lost its end, which leaves an empty object here.
    if (output > request.max_tokens) {
      return message([{ ...content[0], input: {} }], 'max_tokens', this.#usage(request, request.max_tokens))
    }
    return message(content, 'tool_use', this.#usage(request, output))
  }

  #usage(request: ClaudeRequest, output: number) {
    const prefix = JSON.stringify([request.model, request.tools, request.system])
    const marked = request.system.some(block => block.cache_control !== undefined)
    const prefixTokens = Math.ceil(prefix.length / 4)
    const cached = marked && this.#cache.has(prefix)
    if (marked) this.#cache.add(prefix)
    return {
      input_tokens: Math.ceil(JSON.stringify(request.messages).length / 4) + (marked ? 0 : prefixTokens),
      cache_creation_input_tokens: marked && !cached ? prefixTokens : 0,
      cache_read_input_tokens: cached ? prefixTokens : 0,
      output_tokens: output,
    }
  }
}

/** Makes a whole message as Claude sends it. */
export function message(content: readonly unknown[], stop_reason: string, usage: object = {}): Response {
  return HttpResponse.json({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-haiku-5-5',
    content,
    stop_reason,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5, ...usage },
  })
}

/** Makes a failure as the API sends it, quoting the request and the key. */
export function failure(
  status: number,
  type: string,
  request: ClaudeRequest,
  headers: Record<string, string> = {},
): Response {
  const said = `bad: ${request.messages[0]?.content} ${FAKE_CLAUDE_KEY}`
  return HttpResponse.json(
    { type: 'error', error: { type, message: said }, request_id: 'req_1' },
    { status, headers: { 'request-id': 'req_1', ...headers } },
  )
}

function refuse(request: ClaudeRequest, headers: Headers): Response | undefined {
  if (headers.get('authorization') !== `Bearer ${FAKE_CLAUDE_KEY}`) return failure(401, 'authentication_error', request)
  if (!headers.get('anthropic-version')) return failure(400, 'invalid_request_error', request)
  const kind = MODELS[request.model]
  if (!kind) return failure(404, 'not_found_error', request)
  const forced = request.tool_choice.type === 'tool'
  const off = request.thinking?.type === 'disabled'
  const invalid =
    (request.messages[0]?.content ?? '') === '' ||
    (kind === 'thinks unless told' && forced && !off) ||
    (kind === 'never thinks' && request.thinking !== undefined) ||
    (kind === 'always thinks' && (forced || off))
  return invalid ? failure(400, 'invalid_request_error', request) : undefined
}

export { HttpResponse }
