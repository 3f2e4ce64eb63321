import { UserMemory, type UserMemoryOptions } from '@mneme/client'

/** A request of either library, of which only what stands here is read. */
interface Request {
  readonly messages?: readonly Message[]
  /** OpenAI's Responses API has these two in place of messages. */
  readonly input?: string | readonly Message[]
  readonly instructions?: string | null
  /** Anthropic's API has the system text beside the messages. */
  readonly system?: string | readonly object[]
}

interface Message {
  readonly role?: string
  readonly content?: unknown
}

/** One way to call a model: how its request takes what is known, and what of its reply or of a part of a stream is said. */
interface Way {
  withKnown(request: Request, known: string): Request
  said(reply: unknown): string
}

/** The methods that call a model, by their paths in the clients of OpenAI and of Anthropic. */
const WAYS: Readonly<Record<string, Way>> = {
  'chat.completions.create': {
    withKnown: (request, known) => ({
      ...request,
      messages: [{ role: 'system', content: known }, ...(request.messages ?? [])],
    }),
    said: reply =>
      list(at(reply, 'choices'))
        .map(choice => textIn(at(at(choice, 'message') ?? at(choice, 'delta'), 'content')))
        .join(''),
  },
  'responses.create': {
    withKnown: (request, known) => ({
      ...request,
      instructions: [request.instructions, known].filter(Boolean).join('\n\n'),
    }),
    said: reply =>
      at(reply, 'type') === 'response.output_text.delta'
        ? textIn(at(reply, 'delta'))
        : textIn(at(reply, 'output_text')),
  },
  'messages.create': {
    withKnown: (request, known) => ({
      ...request,
      // Behind the caller's own blocks, so that what a cache holds of these stays as it is.
      system: [...blocksOf(request.system), { type: 'text', text: known }],
    }),
    said: reply => textIn(at(reply, 'content')) || textIn(at(at(reply, 'delta'), 'text')),
  },
}

/**
 * Gives a client of OpenAI or of Anthropic a memory of one user. Everything else of the client stays as it is; a wrapper costs nothing, so
 * make one for each user.
 *
 *     const openai = withMemory(new OpenAI(), { mneme, user_id: 'ada' })
 *
 * What a wrapped method returns is a plain promise, without the libraries' `withResponse`.
 */
export function withMemory<Client extends object>(client: Client, options: UserMemoryOptions): Client {
  return wrap(client, '', new UserMemory(options))
}

function wrap<Part extends object>(part: Part, path: string, memory: UserMemory): Part {
  return new Proxy(part, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      const inner = path === '' ? String(name) : `${path}.${String(name)}`
      const way = WAYS[inner]
      if (way && typeof value === 'function') return remembering(value.bind(target), way, memory)
      if (typeof value === 'function') return value.bind(target)
      const leads = Object.keys(WAYS).some(known => known.startsWith(`${inner}.`))
      return leads && typeof value === 'object' && value !== null ? wrap(value, inner, memory) : value
    },
  })
}

function remembering(create: (request: Request, ...rest: unknown[]) => Promise<unknown>, way: Way, memory: UserMemory) {
  return async (request: Request, ...rest: unknown[]) => {
    const message = lastMessage(request)
    const known = await memory.before(message)
    const reply = await create(known ? way.withKnown(request, known) : request, ...rest)
    if (!isStream(reply)) {
      await memory.after(message, way.said(reply))
      return reply
    }
    const [own, given] = reply.tee()
    void listen(own, way).then(said => memory.after(message, said))
    return given
  }
}

interface Tee extends AsyncIterable<unknown> {
  tee(): [Tee, Tee]
}

function isStream(reply: unknown): reply is Tee {
  return typeof reply === 'object' && reply !== null && Symbol.asyncIterator in reply && 'tee' in reply
}

/** Whoever reads the other half is told of a stream that breaks; what was said until then was said. */
async function listen(stream: Tee, way: Way): Promise<string> {
  let said = ''
  try {
    for await (const part of stream) said += way.said(part)
  } catch {
    return said
  }
  return said
}

function lastMessage({ messages, input }: Request): string {
  if (typeof input === 'string') return input
  return textIn((messages ?? input ?? []).findLast(({ role }) => role === 'user')?.content)
}

function blocksOf(system: Request['system'] = []): readonly object[] {
  return typeof system === 'string' ? [{ type: 'text', text: system }] : system
}

/** Reads a text, or the texts of a list of parts. */
function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return list(content)
    .map(part => at(part, 'text'))
    .filter(text => typeof text === 'string')
    .join('\n')
}

function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
