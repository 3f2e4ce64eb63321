import { readFile } from 'node:fs/promises'

/** A chat with an assistant, as it was held. */
export interface Chat {
  readonly id: string | undefined
  readonly title: string | undefined
  /** The assistant, where the form of the file tells. */
  readonly assistant: string | undefined
  /** Each has a time where the file has one that is understood for any of them, or for the chat. */
  readonly messages: readonly ChatMessage[]
  /** Names of files that the person gave with a message. What stands in them is not what the person said. */
  readonly attachments: readonly string[]
  /** Tells whether the file says of any message who said what in a way that is known. */
  readonly isUnderstood: boolean
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
 * of `role` and `content`, as LM Studio keeps in versions, or of the person and a bot or somebody else as Telegram has. Read are the words of
 * the person and of the assistant; a chat of which the person's are understood and none are there is left out.
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
  return chats
    .map(chatOf)
    .filter(({ messages, isUnderstood }) => !isUnderstood || messages.some(({ role }) => role === 'user'))
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
  const isTree = isObject(mapping)
  const list = [chat_messages, messages].find(Array.isArray) ?? []
  const said = isTree ? shownBranch(fields) : list.map(message => shownVersion(withRole(fieldsOf(message), fields)))
  return {
    isUnderstood: isChat(fields) && (said.length === 0 || said.some(isOfKnownShape)),
    id: wordOf(fields.conversation_id, fields.uuid, fields.id),
    title: wordOf(fields.title, fields.name),
    assistant: isTree ? 'chatgpt' : Array.isArray(chat_messages) ? 'claude' : undefined,
    messages: timed(said.flatMap(messageOf), timeOf(fields)),
    attachments: said.flatMap(attachmentsOf),
  }
}

function isOfKnownShape(message: Fields): boolean {
  const { content, text } = message
  return (
    Object.hasOwn(KNOWN_ROLES, roleWordOf(message)) &&
    (typeof (content ?? text) === 'string' || typeof content === 'object')
  )
}

/** Telegram names who wrote a message: in a chat of two the other one, who is a bot or a person, has the number of the chat. */
function withRole(message: Fields, { type, id }: Fields): Fields {
  if (type !== 'bot_chat' && type !== 'personal_chat') return message
  const { from_id: from, text } = message
  if (typeof from !== 'string') return message
  const parts = Array.isArray(text) ? text : [text]
  const words = parts.map(part => (typeof part === 'string' ? part : (wordOf(fieldsOf(part).text) ?? '')))
  return { ...message, role: from === `user${id}` ? 'assistant' : 'user', text: words.join('') }
}

/** LM Studio keeps each version of a message, and the steps of a reply. */
function shownVersion(message: Fields): Fields {
  const { versions, currentlySelected: selected = 0 } = message
  if (!Array.isArray(versions)) return message
  const version = fieldsOf(versions[Number(selected)])
  const { steps, content } = version
  return { ...version, content: Array.isArray(steps) ? steps.flatMap(step => fieldsOf(step).content ?? []) : content }
}

/** A message without a time that is understood was said after the one before it, and the first when the chat began. */
function timed(messages: readonly ChatMessage[], begun: string | undefined): ChatMessage[] {
  let last = begun ?? messages.find(({ created_at }) => created_at)?.created_at
  return messages.map(message => {
    last = message.created_at ?? last
    return last === undefined ? message : { ...message, created_at: last }
  })
}

/** Claude names them as `attachments` and `files`, ChatGPT in the metadata of the message. */
function attachmentsOf({ attachments, files, metadata }: Fields): string[] {
  const lists = [attachments, files, fieldsOf(metadata).attachments].filter(Array.isArray)
  return lists.flat().flatMap(file => wordOf(fieldsOf(file).file_name, fieldsOf(file).name) ?? [])
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

const ROLES: Readonly<Record<string, ChatMessage['role']>> = { user: 'user', human: 'user', assistant: 'assistant' }

/** Instructions and the results of tools are nobody's words. */
const KNOWN_ROLES: Readonly<Record<string, unknown>> = { ...ROLES, system: null, developer: null, tool: null }

function roleWordOf({ role, sender, author }: Fields): string {
  return wordOf(role, sender, fieldsOf(author).role)?.toLowerCase() ?? ''
}

function messageOf(message: Fields): ChatMessage[] {
  const role = ROLES[roleWordOf(message)]
  const content = textOf(message).trim()
  if (role === undefined || content === '' || isHidden(message)) return []
  const at = timeOf(message)
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
/** Programs call the time of a chat or a message so. */
const TIMES = [
  'date_unixtime',
  'created_at',
  'createdAt',
  'create_time',
  'createTime',
  'created',
  'timestamp',
  'time',
  'date',
  'sent_at',
]
/** A time as ISO 8601 or e-mails have it. In others a day may be taken for a month. */
const WRITTEN = /^\d{4}-\d\d-\d\d(?:[T ]|$)|^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4}/
/** Numbers from here on are no seconds since 1970 but thousandths, and from the second one on millionths. */
const THOUSANDTHS = 1e11
const MILLIONTHS = 1e14

function timeOf(fields: Fields): string | undefined {
  return TIMES.map(name => instantOf(fields[name])).find(at => at !== undefined)
}

/** A time that cannot be, or that is not understood, is none. */
function instantOf(given: unknown): string | undefined {
  const number = typeof given === 'string' && /^\d{9,16}(?:\.\d+)?$/.test(given) ? Number(given) : given
  const written = typeof given === 'string' && WRITTEN.test(given) ? given : Number.NaN
  const at = new Date(typeof number === 'number' ? millisecondsOf(number) : written)
  return at.getTime() >= EARLIEST && at.getTime() <= Date.now() ? at.toISOString() : undefined
}

function millisecondsOf(number: number): number {
  if (number >= MILLIONTHS) return number / 1000
  return number >= THOUSANDTHS ? number : number * 1000
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
