// Talks to a model of OpenAI that remembers. Set OPENAI_API_KEY and MNEME_API_KEY, and start the service.
import { openai } from '@ai-sdk/openai'
import { Mneme } from '@mneme/client'
import { generateText, stepCountIs, wrapLanguageModel } from 'ai'
import { memoryMiddleware, memoryTools } from './index.ts'

const mneme = new Mneme()
const options = { mneme, user_id: 'ada' }
const model = wrapLanguageModel({ model: openai.chat('gpt-5-mini'), middleware: memoryMiddleware(options) })
const { text } = await generateText({
  model,
  tools: memoryTools(options),
  stopWhen: stepCountIs(5),
  prompt: process.argv[2] ?? 'I moved to Porto last week, and I am allergic to shellfish.',
})
console.log(text)
