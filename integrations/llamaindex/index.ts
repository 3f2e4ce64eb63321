import type { MessageContent } from '@llamaindex/core/llms'
import { BaseMemoryBlock, type MemoryMessage } from '@llamaindex/core/memory'
import { UserMemory, type UserMemoryOptions } from '@mneme/client'

export interface MnemeMemoryBlockOptions extends UserMemoryOptions {
  /** Blocks of a higher number go first where the context is short, and one of 0 is always in it; 1 when left out. */
  readonly priority?: number
}

/**
 * A block of long-term memory that outlives the conversation: it gives what is known that bears on the last message of the user, and
 * submits the messages that leave the short-term memory.
 *
 *     const memory = createMemory({ memoryBlocks: [new MnemeMemoryBlock({ mneme, user_id })] })
 */
export class MnemeMemoryBlock extends BaseMemoryBlock {
  readonly #memory: UserMemory

  constructor({ priority = 1, ...options }: MnemeMemoryBlockOptions) {
    super({ id: 'mneme', priority, isLongTerm: true })
    this.#memory = new UserMemory(options)
  }

  override async get(messages: MemoryMessage[] = []): Promise<MemoryMessage[]> {
    const asked = messages.findLast(({ role }) => role === 'user')
    const known = asked ? await this.#memory.before(textOf(asked.content)) : ''
    return known ? [{ id: this.id, role: 'memory', content: known }] : []
  }

  /** Submits messages; call it at the end of a conversation that stayed short, whose messages the framework never hands on. */
  override async put(messages: readonly Pick<MemoryMessage, 'role' | 'content'>[]): Promise<void> {
    let asked = ''
    for (const { role, content } of messages) {
      if (role === 'user') {
        await this.#memory.after(asked, '')
        asked = textOf(content)
      } else if (role === 'assistant') {
        await this.#memory.after(asked, textOf(content))
        asked = ''
      }
    }
    await this.#memory.after(asked, '')
  }
}

function textOf(content: MessageContent): string {
  if (typeof content === 'string') return content
  return content.map(part => (part.type === 'text' ? part.text : '')).join('')
}
