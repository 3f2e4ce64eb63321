/**
 * Runs mem0 in a process of its own, on Node, which it is made for: a request a line on standard input, an answer a line on
 * standard output. Times are those of mem0's own calls, without this protocol.
 *   node mem0-worker.mjs FOLDER EMBEDDINGS_URL DATABASE_URL DIMENSIONS
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const [folder, embeddingsUrl, connectionString, dimensions] = process.argv.slice(2)
const { Memory } = createRequire(join(folder, 'package.json'))('mem0ai/oss')

const memory = new Memory({
  embedder: { provider: 'openai', config: { apiKey: 'none', baseURL: embeddingsUrl, model: 'local' } },
  vectorStore: {
    provider: 'pgvector',
    config: {
      collectionName: 'memories',
      connectionString,
      dimension: Number(dimensions),
      embeddingModelDims: Number(dimensions),
    },
  },
  // Never called: texts are stored as they are.
  llm: { provider: 'openai', config: { apiKey: 'none', baseURL: embeddingsUrl, model: 'none' } },
  historyStore: { provider: 'sqlite', config: { historyDbPath: join(folder, `history-${process.pid}.db`) } },
})

const operations = {
  async add({ texts, userId, inFlight }) {
    const waiting = [...texts]
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        await memory.add(next.text, { userId, metadata: { turn: next.id }, infer: false })
      }
    }
    await Promise.all(Array.from({ length: inFlight }, worker))
  },
  async search({ query, userId, topK }) {
    // Its own threshold of 0.1 could only take results away.
    const { results } = await memory.search(query, { filters: { user_id: userId }, topK, threshold: 0 })
    return results.map(({ metadata }) => metadata?.turn)
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const { operation, ...input } = JSON.parse(line)
  try {
    const startedAt = performance.now()
    const result = await operations[operation](input)
    answer({ result: result ?? null, tookMs: performance.now() - startedAt })
  } catch (error) {
    answer({ error: error instanceof Error ? error.message : String(error) })
  }
}
process.exit(0)

function answer(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}
