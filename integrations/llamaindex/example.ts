// Gives a conversation what is known from others. Set MNEME_API_KEY, and start the service.
import { createMemory } from '@llamaindex/core/memory'
import { Mneme } from '@mneme/client'
import { MnemeMemoryBlock } from './index.ts'

const mneme = new Mneme()
await mneme.remember('Ada prefers TypeScript and lives in Lisbon.', { user_id: 'ada' })

const block = new MnemeMemoryBlock({ mneme, user_id: 'ada' })
const memory = createMemory({ memoryBlocks: [block] })
await memory.add({ role: 'user', content: 'Which language does Ada prefer?' })
const messages = await memory.getLLM()
console.log(messages.map(({ content }) => content).join('\n\n'))
await block.put(await memory.get())
