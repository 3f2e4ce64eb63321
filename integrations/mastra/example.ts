// An agent that knows its user across conversations. Set MNEME_API_KEY and OPENAI_API_KEY, and start the service.
import { Agent } from '@mastra/core/agent'
import { RequestContext } from '@mastra/core/request-context'
import { Mneme } from '@mneme/client'
import { MnemeProcessor } from './index.ts'

const memory = new MnemeProcessor({ mneme: new Mneme(), user_id: context => String(context?.get('user')) })
const guide = new Agent({
  id: 'guide',
  name: 'Guide',
  instructions: 'You know every restaurant.',
  model: 'openai/gpt-6',
  inputProcessors: [memory],
  outputProcessors: [memory],
})

const requestContext = new RequestContext([['user', 'ada']])
const { text } = await guide.generate('I am vegetarian. Where can I eat tonight?', { requestContext })
console.log(text)
