import { BaseListChatMessageHistory, InMemoryChatMessageHistory } from '@langchain/core/chat_history'
import { Document } from '@langchain/core/documents'
import { type BaseMessage, SystemMessage } from '@langchain/core/messages'
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers'
import { type Mneme, type SearchMemoriesInput, UserMemory, type UserMemoryOptions } from '@mneme/client'

export interface MnemeRetrieverInput extends BaseRetrieverInput {
  readonly mneme: Mneme
  /** Narrows the search: `user_id`, `categories`, `filter`, `limit` and the others of `search`. */
  readonly search?: Omit<SearchMemoriesInput, 'query'>
}

/** Finds memories as documents, best first, with their scores and what is stored beside them as metadata. */
export class MnemeRetriever extends BaseRetriever {
  lc_namespace = ['mneme', 'retrievers']
  readonly #mneme: Mneme
  readonly #search: Omit<SearchMemoriesInput, 'query'>

  static override lc_name(): string {
    return 'MnemeRetriever'
  }

  constructor({ mneme, search = {}, ...rest }: MnemeRetrieverInput) {
    super(rest)
    this.#mneme = mneme
    this.#search = search
  }

  override async _getRelevantDocuments(query: string): Promise<Document[]> {
    const { data } = await this.#mneme.search(query, this.#search)
    return data.map(({ id, memory, metadata, ...rest }) => {
      return new Document({ id, pageContent: memory, metadata: { ...metadata, ...rest } })
    })
  }
}

export interface MnemeChatHistoryInput extends UserMemoryOptions {
  /** Holds the messages of this conversation; in this process when left out. */
  readonly messages?: BaseListChatMessageHistory
}

/**
 * A history that knows more than this conversation. Its messages begin with what is known that bears on the last one of the user, and
 * each answer is submitted with the message before it. The words of the conversation itself stay where `messages` keeps them.
 */
export class MnemeChatHistory extends BaseListChatMessageHistory {
  lc_namespace = ['mneme', 'chat_history']
  readonly #memory: UserMemory
  readonly #messages: BaseListChatMessageHistory

  constructor({ messages = new InMemoryChatMessageHistory(), ...options }: MnemeChatHistoryInput) {
    super()
    this.#memory = new UserMemory(options)
    this.#messages = messages
  }

  override async getMessages(): Promise<BaseMessage[]> {
    const messages = await this.#messages.getMessages()
    const known = await this.#memory.before(lastOf(messages))
    return known ? [new SystemMessage(known), ...messages] : messages
  }

  override async addMessage(message: BaseMessage): Promise<void> {
    const isAnswer = message.getType() === 'ai' && message.text !== ''
    const asked = isAnswer ? lastOf(await this.#messages.getMessages()) : ''
    await this.#messages.addMessage(message)
    if (isAnswer) await this.#memory.after(asked, message.text)
  }

  override async addMessages(messages: BaseMessage[]): Promise<void> {
    for (const message of messages) await this.addMessage(message)
  }

  /** Forgets the conversation; what was learnt of it stays known. */
  override async clear(): Promise<void> {
    await this.#messages.clear()
  }
}

function lastOf(messages: readonly BaseMessage[]): string {
  return messages.findLast(message => message.getType() === 'human')?.text ?? ''
}
