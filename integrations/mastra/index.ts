import type { MastraDBMessage } from '@mastra/core/agent/message-list'
import type { ProcessInputArgs, ProcessOutputResultArgs, Processor } from '@mastra/core/processors'
import type { RequestContext } from '@mastra/core/request-context'
import { UserMemory, type UserMemoryOptions } from '@mneme/client'

export interface MnemeProcessorOptions extends Omit<UserMemoryOptions, 'user_id' | 'session_id'> {
  /** The context of a request says who the user is, since one agent is there for all of them; a text is one user. */
  readonly user_id: string | ((context: RequestContext | undefined) => string)
  /** The conversation, from the context of a request as well. */
  readonly session_id?: (context: RequestContext | undefined) => string | undefined
}

/**
 * An agent with it knows its user. As an input processor it puts what is known that bears on the last message before the prompt; as an
 * output processor it submits the message and the answer.
 *
 *     const memory = new MnemeProcessor({ mneme, user_id: context => String(context?.get('user')) })
 *     const agent = new Agent({ …, inputProcessors: [memory], outputProcessors: [memory] })
 */
export class MnemeProcessor implements Processor<'mneme'> {
  readonly id = 'mneme'
  readonly name = 'Mneme'

  constructor(private readonly options: MnemeProcessorOptions) {}

  async processInput({ messages, systemMessages, requestContext }: ProcessInputArgs) {
    const known = await this.#memory(requestContext).before(lastOf(messages))
    return {
      messages,
      systemMessages: known ? [{ role: 'system' as const, content: known }, ...systemMessages] : systemMessages,
    }
  }

  async processOutputResult({ messages, messageList, result, requestContext }: ProcessOutputResultArgs) {
    const asked = lastOf(messageList.get.all.db())
    await this.#memory(requestContext).after(asked, result.text)
    return messages
  }

  #memory(context: RequestContext | undefined): UserMemory {
    const { user_id, session_id, ...rest } = this.options
    const user = typeof user_id === 'string' ? user_id : user_id(context)
    return new UserMemory({ ...rest, user_id: user, session_id: session_id?.(context) })
  }
}

function lastOf(messages: readonly MastraDBMessage[]): string {
  const parts = messages.findLast(({ role }) => role === 'user')?.content.parts ?? []
  return parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n')
}
