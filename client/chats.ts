import { storableText } from '../core/storable-text.ts'
import { forEachAtOnce } from './at-once.ts'
import { type Chat, type ChatMessage, readChats } from './chat-files.ts'
import { inWorkspace, messageOf, type Service, ServiceError } from './service.ts'
import { reasonOf } from './sources.ts'
import type { Terminal } from './terminal.ts'

export interface ChatsOptions {
  readonly user: string | undefined
  readonly categories: string | undefined
  readonly workspace: string | undefined
}

/** The service takes so much as one conversation. */
const MESSAGES_MAX = 1000
const CHARACTERS_MAX = 1_000_000
const CONTENT_MAX = 50_000
const NAME_MAX = 255
const TITLE_MAX = 300
const LOOK_MS = 500

/**
 * Submits the chats of files as conversations, and waits until each is read. The service makes memories of what the person said in them; what
 * it knows already is not made again, so that a later run with a newer file adds what is new.
 * @returns 0 when all of them were read, 1 when one could not be, or nothing of a file was understood
 */
export async function runChats(
  service: Service,
  terminal: Terminal,
  paths: readonly string[],
  options: ChatsOptions,
): Promise<number> {
  let [failed, read, isLost] = [0, 0, false]
  /** A chat that stands twice in the files is one conversation. */
  const created = new Map<string, number>()
  for (const path of paths) {
    const all = await readChats(path).catch((error: unknown) => {
      failed++
      terminal.print(`failed       ${path}: ${reasonOf(error)}`)
      return []
    })
    const chats = all.filter(({ isUnderstood }) => isUnderstood)
    const lost = all.filter(({ isUnderstood }) => !isUnderstood)
    isLost ||= lost.length > 0 && chats.length === 0
    const conversations = chats.flatMap(chat => partsOf(chat).map(messages => ({ chat, messages })))
    const bar = terminal.bar('reading', conversations.length)
    let done = 0
    const submit = async ({ chat, messages }: Conversation) => {
      try {
        const { id, memories } = await remembered(service, { chat, messages }, options)
        created.set(id, Math.max(memories, created.get(id) ?? 0))
      } catch (error) {
        if (error instanceof ServiceError) throw error
        failed++
        terminal.print(`failed       ${nameOf(chat)}: ${messageOf(error)}`)
      }
      bar.update(++done)
    }
    await forEachAtOnce(conversations, submit).finally(() => bar.stop())
    for (const line of warningsOf(chats)) terminal.print(line)
    if (lost.length > 0) terminal.print(`not understood: ${counted(lost.map(nameOf), 'chat')}`)
    read += chats.length
  }
  const made = [...created.values()].reduce((sum, memories) => sum + memories, 0)
  terminal.print(`${made} memories of ${read} ${read === 1 ? 'chat' : 'chats'}, ${failed} failed`)
  return failed > 0 || isLost ? 1 : 0
}

const NAMED_MAX = 5

const nameOf = ({ title, id }: Chat) => title ?? id ?? 'a chat'

/** Says what of chats is not as it was held. */
function warningsOf(chats: readonly Chat[]): string[] {
  const undated = chats.filter(isUndated).map(nameOf)
  const attachments = chats.flatMap(chat => chat.attachments)
  return [
    ...(undated.length > 0
      ? [`no time      ${counted(undated, 'chat')}: no time is understood, so the memories do not say when it was said`]
      : []),
    ...(attachments.length > 0
      ? [`left out     ${counted(attachments, 'attachment')}: import those that are to be remembered as documents`]
      : []),
  ]
}

function counted(names: readonly string[], word: string): string {
  const dots = names.length > NAMED_MAX ? ', …' : ''
  return `${names.length} ${word}${names.length === 1 ? '' : 's'} (${names.slice(0, NAMED_MAX).join(', ')}${dots})`
}

function isUndated({ messages }: Chat): boolean {
  return messages.every(message => message.created_at === undefined)
}

interface Conversation {
  readonly chat: Chat
  readonly messages: readonly ChatMessage[]
}

/** Divides a chat that is longer than one conversation may be, and messages that are. */
function partsOf({ messages }: Chat): ChatMessage[][] {
  const parts: ChatMessage[][] = []
  let characters = 0
  for (const message of messages.flatMap(shortMessages)) {
    characters += message.content.length
    const part = parts.at(-1)
    if (part && part.length < MESSAGES_MAX && characters <= CHARACTERS_MAX) part.push(message)
    else {
      parts.push([message])
      characters = message.content.length
    }
  }
  return parts
}

function shortMessages(message: ChatMessage): ChatMessage[] {
  const count = Math.ceil(message.content.length / CONTENT_MAX)
  const parts = Array.from({ length: count }, (_, n) => message.content.slice(n * CONTENT_MAX, (n + 1) * CONTENT_MAX))
  return parts.map(part => ({ ...message, content: storableText(part) })).filter(({ content }) => content.trim() !== '')
}

/** @returns the conversation's id, and how many memories this run made of it */
async function remembered(service: Service, { chat, messages }: Conversation, options: ChatsOptions) {
  const { user, categories, workspace } = options
  const metadata = {
    ...(chat.title === undefined ? {} : { title: storableText(chat.title, TITLE_MAX) }),
    ...(isUndated(chat) ? { said_at: null } : {}),
  }
  const body = {
    messages,
    user_id: user,
    agent_id: chat.assistant,
    session_id: chat.id && storableText(chat.id, NAME_MAX),
    categories: categories?.split(',').map(category => category.trim()),
    workspace_id: workspace,
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  }
  const submitted = await service.json('POST', '/v1/memories/conversations', {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const id = String(submitted.id)
  // A run before this one submitted the same.
  if (submitted.status === 'COMPLETED') return { id, memories: 0 }
  for (;;) {
    const conversation = await service.json('GET', inWorkspace(`/v1/memories/conversations/${id}`, workspace))
    if (conversation.status === 'FAILED') throw new Error(String(conversation.error ?? 'the service does not say why'))
    if (conversation.status === 'COMPLETED') return { id, memories: Number(conversation.memories_created ?? 0) }
    await service.pause(LOOK_MS)
  }
}
