import { UserMemory, type UserMemoryOptions } from '@mneme/client'
import { type AgentInputItem, type CallModelInputFilter, MemorySession, type Session } from '@openai/agents'

export interface AgentMemoryOptions extends UserMemoryOptions {
  /** Keeps the words of this conversation; in this process when left out. */
  readonly session?: Session
}

/**
 * Options of a run by which an agent knows its user: what is known that bears on the last message stands at the end of its instructions, and each
 * answer is submitted with the message before it.
 *
 *     const result = await run(agent, 'Where shall we eat?', agentMemory({ mneme, user_id }))
 */
export function agentMemory({ session = new MemorySession(), ...options }: AgentMemoryOptions): {
  readonly session: Session
  readonly callModelInputFilter: CallModelInputFilter
} {
  const memory = new UserMemory(options)
  let last: { readonly asked: string; readonly known: Promise<string> } | undefined
  return {
    session: new RememberedSession(session, memory),
    // Each turn of a run calls the model, and asks about the same message.
    async callModelInputFilter({ modelData }) {
      const asked = modelData.input.map(saidByUser).findLast(said => said !== '') ?? ''
      if (last?.asked !== asked) last = { asked, known: memory.before(asked) }
      const known = await last.known
      const instructions = [modelData.instructions, known].filter(Boolean).join('\n\n')
      return instructions ? { ...modelData, instructions } : modelData
    },
  }
}

/** A session that submits what is said in it. */
class RememberedSession implements Session {
  readonly #session: Session
  readonly #memory: UserMemory
  #asked = ''

  constructor(session: Session, memory: UserMemory) {
    this.#session = session
    this.#memory = memory
  }

  getSessionId(): Promise<string> {
    return this.#session.getSessionId()
  }

  getItems(limit?: number): Promise<AgentInputItem[]> {
    return this.#session.getItems(limit)
  }

  async addItems(items: AgentInputItem[]): Promise<void> {
    await this.#session.addItems(items)
    for (const item of items) {
      this.#asked = saidByUser(item) || this.#asked
      const answer = saidByAssistant(item)
      if (answer === '') continue
      await this.#memory.after(this.#asked, answer)
      this.#asked = ''
    }
  }

  popItem(): Promise<AgentInputItem | undefined> {
    return this.#session.popItem()
  }

  /** Forgets the conversation; what was learnt of it stays known. */
  clearSession(): Promise<void> {
    return this.#session.clearSession()
  }
}

function saidByUser(item: AgentInputItem): string {
  if (!('role' in item) || item.role !== 'user') return ''
  if (typeof item.content === 'string') return item.content
  return item.content.map(part => (part.type === 'input_text' ? part.text : '')).join('')
}

function saidByAssistant(item: AgentInputItem): string {
  if (!('role' in item) || item.role !== 'assistant') return ''
  return item.content.map(part => (part.type === 'output_text' ? part.text : '')).join('')
}
