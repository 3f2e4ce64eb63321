// Asks an agent that knows its user from earlier conversations. Set OPENAI_API_KEY and MNEME_API_KEY, and start the service.
import { Mneme } from '@mneme/client'
import { Agent, run } from '@openai/agents'
import { agentMemory } from './index.ts'

const mneme = new Mneme()
await mneme.remember('Ada is allergic to shellfish and lives in Porto.', { user_id: 'ada' })

const agent = new Agent({ name: 'Guide', instructions: 'Answer in one sentence.', model: 'gpt-5-mini' })
const result = await run(agent, 'Where shall I eat this evening?', agentMemory({ mneme, user_id: 'ada' }))
console.log(result.finalOutput)
