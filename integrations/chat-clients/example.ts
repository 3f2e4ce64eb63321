// Talks to models of OpenAI and of Anthropic that share a memory. Set OPENAI_API_KEY, ANTHROPIC_API_KEY and MNEME_API_KEY, and start the service.
import Anthropic from '@anthropic-ai/sdk'
import { Mneme } from '@mneme/client'
import OpenAI from 'openai'
import { withMemory } from './index.ts'

const memory = { mneme: new Mneme(), user_id: 'ada' }
const openai = withMemory(new OpenAI(), memory)
const told = await openai.chat.completions.create({
  model: 'gpt-5-mini',
  messages: [{ role: 'user', content: 'I moved to Porto last week, and I am allergic to shellfish.' }],
})
console.log(told.choices[0]?.message.content)

const anthropic = withMemory(new Anthropic(), memory)
const asked = await anthropic.messages.create({
  model: 'claude-haiku-5-5',
  max_tokens: 1000,
  messages: [{ role: 'user', content: 'Which restaurant should I try this evening?' }],
})
console.log(asked.content.map(block => (block.type === 'text' ? block.text : '')).join(''))
