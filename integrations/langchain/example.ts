// Finds memories as documents, and gives a conversation what is known from others. Set MNEME_API_KEY, and start the service.
import { Mneme } from '@mneme/client'
import { MnemeChatHistory, MnemeRetriever } from './index.ts'

const mneme = new Mneme()
await mneme.remember('Ada prefers TypeScript and lives in Lisbon.', { user_id: 'ada' })

const retriever = new MnemeRetriever({ mneme, search: { user_id: 'ada', limit: 3 } })
for (const { pageContent, metadata } of await retriever.invoke('Where does Ada live?')) {
  console.log(metadata.score, pageContent)
}

const history = new MnemeChatHistory({ mneme, user_id: 'ada' })
await history.addUserMessage('Which language should I write this in?')
console.log((await history.getMessages()).map(message => message.text).join('\n\n'))
