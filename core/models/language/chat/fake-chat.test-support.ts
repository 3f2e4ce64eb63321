/**
 * Fakes servers with OpenAI's chat completions for tests. Each kind takes and refuses what the real ones do: llama.cpp, vLLM,
 * Ollama and LM Studio hold completions to a schema and refuse large bounds in it, OpenAI's reasoning models know no
 * `max_tokens`, DeepSeek knows tools and no schema, some templates know no system message, and small models know nothing.
 * Written from https://platform.openai.com/docs/api-reference/chat, https://api-docs.deepseek.com, the documents of vLLM and
 * Ollama, https://openrouter.ai/docs/api-reference/errors, and llama.cpp's issues 17473 and 19051. Failures quote the request
 * and the key, as proxies do.
 */
import { HttpResponse } from 'msw/http'
import { fakeNetwork } from '../../http/fake-network.test-support.ts'

export const FAKE_CHAT_URL = 'http://chat.test'
export const FAKE_CHAT_KEY = 'sk-chat-very-secret'
export const FAKE_CHAT_MODEL = 'qwen3:8b'
export const FAKE_CHAT_SETTINGS = {
  kind: 'http',
  url: FAKE_CHAT_URL,
  model: FAKE_CHAT_MODEL,
  apiKey: FAKE_CHAT_KEY,
  retryDelayMs: 5,
} as const

export type ServerKind = 'schema' | 'no tools' | 'reasoning' | 'tools' | 'no system' | 'object' | 'plain'

export interface ChatRequest {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly response_format?: { readonly type: string; readonly json_schema?: { readonly schema: unknown } }
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: unknown } }[]
  readonly tool_choice?: unknown
  readonly stream: boolean
}

/** The model's reaction to a request: the completion as a value or as it is written, or a whole response. */
export type ChatReply = (request: ChatRequest, attempt: number) => unknown | Promise<unknown>

export class FakeChat {
  readonly requests: ChatRequest[] = []
  /** The most requests that were under way at once. */
  concurrencySeen = 0
  kind: ServerKind = 'schema'
  /** Input and completion together may take so many tokens. */
  context = Number.POSITIVE_INFINITY
  #reply: ChatReply = () => ({})
  #open = { count: 0 }
  readonly #network = fakeNetwork(`${FAKE_CHAT_URL}/v1/chat/completions`, request => this.handle(request))

  async start(): Promise<void> {
    await this.#network.enable()
  }

  async stop(): Promise<void> {
    await this.#network.disable()
  }

  /** Forgets all requests and responds so from now on. */
  respond(reply: ChatReply): void {
    this.#reply = reply
    this.requests.length = 0
    this.concurrencySeen = 0
    // Requests that still hang belong to the time before.
    this.#open = { count: 0 }
  }

  async handle(incoming: Request): Promise<Response> {
    const request: ChatRequest = await incoming.json()
    this.requests.push(request)
    const refusal = this.#refuse(request, incoming.headers)
    if (refusal) return refusal
    const open = this.#open
    open.count++
    this.concurrencySeen = Math.max(this.concurrencySeen, open.count)
    try {
      const reply = await this.#reply(request, this.requests.length)
      return reply instanceof Response ? reply : complete(request, reply)
    } finally {
      open.count--
    }
  }

  #refuse(request: ChatRequest, headers: Headers): Response | undefined {
    if (headers.get('authorization') !== `Bearer ${FAKE_CHAT_KEY}`) return failure(401, 'invalid_api_key', request)
    if (request.model !== FAKE_CHAT_MODEL) return failure(404, 'model_not_found', request)
    const limit = request.max_tokens ?? request.max_completion_tokens ?? 0
    const takes = TAKES[this.kind]
    const roles = request.messages.map(({ role }) => role).filter(role => role !== 'system')
    const invalid =
      request.stream ||
      request.messages.some(({ content }) => content === '') ||
      roles.some((role, n) => role !== (n % 2 === 0 ? 'user' : 'assistant')) ||
      (request.messages.some(({ role }) => role === 'system') && !takes.includes('system')) ||
      (request.response_format !== undefined && !takes.includes(request.response_format.type)) ||
      (request.tools !== undefined && !takes.includes('tools')) ||
      (request.max_tokens !== undefined && this.kind === 'reasoning') ||
      hasBounds(request.response_format?.json_schema?.schema ?? request.tools?.[0]?.function.parameters) ||
      promptTokens(request) + limit > this.context
    return invalid ? failure(400, 'invalid_request_error', request) : undefined
  }
}

const TAKES: Readonly<Record<ServerKind, readonly string[]>> = {
  schema: ['system', 'json_schema', 'json_object', 'tools'],
  'no tools': ['system', 'json_schema'],
  reasoning: ['system', 'json_schema', 'json_object', 'tools'],
  tools: ['system', 'json_object', 'tools'],
  'no system': ['json_schema'],
  object: ['system', 'json_object'],
  plain: [],
}

function hasBounds(schema: unknown): boolean {
  return /"(?:minLength|maxLength|maxItems|pattern|patternProperties)":/.test(JSON.stringify(schema) ?? '')
}

function promptTokens({ messages, tools }: ChatRequest): number {
  return Math.ceil(JSON.stringify([messages, tools]).length / 4)
}

/** A value is written where the request wants it; a text is the content, whatever was asked for. */
function complete(request: ChatRequest, reply: unknown): Response {
  const written = typeof reply === 'string' ? reply : JSON.stringify(reply)
  const limit = request.max_tokens ?? request.max_completion_tokens ?? 0
  const tokens = Math.ceil(written.length / 4)
  const isCut = tokens > limit
  const text = isCut ? written.slice(0, 4 * limit) : written
  const usage = {
    prompt_tokens: promptTokens(request),
    completion_tokens: Math.min(tokens, limit),
    prompt_tokens_details: { cached_tokens: 0 },
  }
  if (request.tools === undefined || typeof reply === 'string') {
    return chat({ content: text }, isCut ? 'length' : 'stop', usage)
  }
  const call = { id: 'call_1', type: 'function', function: { name: request.tools[0]?.function.name, arguments: text } }
  return chat({ content: null, tool_calls: [call] }, isCut ? 'length' : 'tool_calls', usage)
}

/** Makes a whole chat completion with one choice. */
export function chat(message: object, finish_reason: string, usage?: object): Response {
  return HttpResponse.json({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_760_000_000,
    model: FAKE_CHAT_MODEL,
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason, logprobs: null }],
    ...(usage ? { usage } : {}),
  })
}

/** Makes a failure as servers send it, quoting the request and the key. */
export function failure(
  status: number,
  code: string,
  request: ChatRequest,
  headers: Record<string, string> = {},
  more: object = {},
): Response {
  const message = `bad: ${request.messages.at(-1)?.content} ${FAKE_CHAT_KEY}`
  return HttpResponse.json({ error: { message, type: code, param: null, code, ...more } }, { status, headers })
}

export { HttpResponse }
