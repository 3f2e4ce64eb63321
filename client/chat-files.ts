import { readFile } from 'node:fs/promises'

/** A chat with an assistant, as it was held. */
export interface Chat {
  readonly id: string | undefined
  readonly title: string | undefined
  /** The assistant, where the form of the file tells. */
  readonly assistant: string | undefined
  readonly messages: readonly ChatMessage[]
}

export interface ChatMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string
  readonly created_at?: string
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads a file of chats: what ChatGPT or Claude give out as `conversations.json`
 * (https://help.openai.com/en/articles/7260999, https://privacy.anthropic.com/en/articles/9450526), or one chat or a list of them with `messages`
 * of `role` and `content`. Read are the words of the person and of the assistant; a chat without any is left out.
 * @throws where the file has none, with a message for people
 */
export async function readChats(path: string): Promise<Chat[]> {
  const given = parsed(await readFile(path, 'utf8'))
  const { conversations } = fieldsOf(given)
  const chats = [Array.isArray(conversations) ? conversations : given].flat().map(fieldsOf)
  if (!chats.some(isChat)) {
    throw new Error(
      'it has no chats: expected is the conversations.json of ChatGPT or Claude, or a list of objects with messages',
    )
  }
  return chats.map(chatOf).filter(({ messages }) => messages.some(({ role }) => role === 'user'))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw new Error('it is not JSON: unpack the archive first, and give its conversations.json')
  }
}

function isChat({ mapping, chat_messages, messages }: Fields): boolean {
  return isObject(mapping) || Array.isArray(chat_messages) || Array.isArray(messages)
}

function chatOf(fields: Fields): Chat {
  const { mapping, chat_messages, messages } = fields
  const about = {
    id: wordOf(fields.conversation_id, fields.uuid, fields.id),
    title: wordOf(fields.title, fields.name),
  }
  if (isObject(mapping)) return { ...about, assistant: 'chatgpt', messages: shownBranch(fields).flatMap(messageOf) }
  if (Array.isArray(chat_messages)) return { ...about, assistant: 'claude', messages: messagesIn(chat_messages) }
  return { ...about, assistant: undefined, messages: Array.isArray(messages) ? messagesIn(messages) : [] }
}

/** ChatGPT keeps a tree: an edited message begins another branch. Shown is the way from the last message of one back to the root. */
function shownBranch({ mapping, current_node: current }: Fields): Fields[] {
  const nodes = new Map(Object.entries(fieldsOf(mapping)).map(([id, node]) => [id, fieldsOf(node)]))
  const shown: Fields[] = []
  const seen = new Set<string>()
  let id = typeof current === 'string' && nodes.has(current) ? current : [...nodes.keys()].at(-1)
  while (id !== undefined && !seen.has(id)) {
    seen.add(id)
    const { message, parent } = nodes.get(id) ?? {}
    shown.push(fieldsOf(message))
    id = typeof parent === 'string' ? parent : undefined
  }
  return shown.toReversed()
}

function messagesIn(list: readonly unknown[]): ChatMessage[] {
  return list.flatMap(message => messageOf(fieldsOf(message)))
}

const ROLES: Readonly<Record<string, ChatMessage['role']>> = { user: 'user', human: 'user', assistant: 'assistant' }

function messageOf(message: Fields): ChatMessage[] {
  const role = ROLES[wordOf(message.role, message.sender, fieldsOf(message.author).role)?.toLowerCase() ?? '']
  const content = textOf(message).trim()
  if (role === undefined || content === '' || isHidden(message)) return []
  const at = instantOf(message.created_at ?? message.create_time ?? message.timestamp)
  return [{ role, content, ...(at === undefined ? {} : { created_at: at }) }]
}

/** ChatGPT does not show the instructions that it puts before a chat, nor calls of tools. */
function isHidden({ metadata, recipient }: Fields): boolean {
  const isForTool = typeof recipient === 'string' && recipient !== 'all'
  return isForTool || fieldsOf(metadata).is_visually_hidden_from_conversation === true
}

/** Parts are texts, or objects of which those of the type `text` have one; what was thought or run is not said. */
function textOf({ content, text }: Fields): string {
  if (typeof content === 'string') return content
  const { content_type: type, parts } = fieldsOf(content)
  const isSaid = type === undefined || type === 'text' || type === 'multimodal_text'
  const list = Array.isArray(content) ? content : isSaid && Array.isArray(parts) ? parts : []
  const said = list.map(part => (typeof part === 'string' ? part : wordsOf(fieldsOf(part)))).filter(Boolean)
  return said.length > 0 ? said.join('\n\n') : typeof text === 'string' ? text : ''
}

/** ChatGPT calls what was said aloud an audio transcription. */
const SAID = new Set(['text', 'input_text', 'output_text', 'audio_transcription'])

function wordsOf({ type, content_type: contentType, text }: Fields): string {
  return typeof text === 'string' && SAID.has(String(type ?? contentType)) ? text : ''
}

const EARLIEST = Date.UTC(1970, 0, 2)

/** Seconds since 1970, or a time in words. A time that cannot be is none. */
function instantOf(given: unknown): string | undefined {
  const at = new Date(typeof given === 'number' ? given * 1000 : typeof given === 'string' ? given : Number.NaN)
  return at.getTime() >= EARLIEST && at.getTime() <= Date.now() ? at.toISOString() : undefined
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? (value as Fields) : {}
}

function wordOf(...given: readonly unknown[]): string | undefined {
  return given.find((one): one is string => typeof one === 'string' && one.trim() !== '')
}
