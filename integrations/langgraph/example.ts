// Gives a graph a store that lasts and that finds by meaning. Set MNEME_API_KEY, and start the service.
import { Annotation, END, type LangGraphRunnableConfig, START, StateGraph } from '@langchain/langgraph'
import { Mneme } from '@mneme/client'
import { MnemeStore } from './index.ts'

const store = new MnemeStore({ mneme: new Mneme(), user: ([user]) => user })
await store.put(['ada', 'facts'], 'language', { text: 'Ada prefers TypeScript for scripts.' })

const State = Annotation.Root({ question: Annotation<string>, answer: Annotation<string> })
const graph = new StateGraph(State)
  .addNode('recall', async ({ question }, { store }: LangGraphRunnableConfig) => {
    const [found] = (await store?.search(['ada'], { query: question, limit: 1 })) ?? []
    return { answer: found ? `${found.value.text} (${found.key})` : 'Nothing is known.' }
  })
  .addEdge(START, 'recall')
  .addEdge('recall', END)
  .compile({ store })

const { answer } = await graph.invoke({ question: 'Which language does Ada write scripts in?' })
console.log(answer)
