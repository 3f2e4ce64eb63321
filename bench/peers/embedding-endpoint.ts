import { createServer, type IncomingMessage } from 'node:http'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { createEmbedder } from '../../core/models/create-embedder.ts'
import { onEnd } from '../../test/support/closing.ts'
import type { TextEmbedder } from '../retrieval/vectors.ts'

const requestSchema = Type.Object({ input: Type.Union([Type.String(), Type.Array(Type.String())]) })

export interface EmbeddingEndpoint {
  /** Clients of OpenAI's API take this as their base address. */
  readonly url: string
  /** Length of its vectors. */
  readonly dimensions: number
  /** Milliseconds that embedding took since the last call of this. */
  takeMs(): number
}

/** Serves the built-in model as OpenAI's API does, so that a peer ranks by the very vectors that Mneme ranks by. */
export async function serveEmbeddings(given?: TextEmbedder): Promise<EmbeddingEndpoint> {
  const embedder = given ?? (await openModel())
  let spentMs = 0
  const server = createServer(async (request, response) => {
    try {
      const { input } = await bodyOf(request)
      const startedAt = performance.now()
      const embeddings = await embedder.embed(typeof input === 'string' ? [input] : input, { priority: 'query' })
      spentMs += performance.now() - startedAt
      const data = embeddings.map(({ vector }, index) => ({
        object: 'embedding',
        index,
        embedding: [...(vector ?? [])],
      }))
      const usage = { prompt_tokens: 0, total_tokens: 0 }
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify({ object: 'list', model: 'local', data, usage }))
    } catch (error) {
      response.statusCode = 400
      response.end(JSON.stringify({ error: { message: String(error) } }))
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onEnd(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the endpoint has no port')
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    dimensions: embedder.dimensions,
    takeMs() {
      const spent = spentMs
      spentMs = 0
      return spent
    },
  }
}

async function openModel(): Promise<TextEmbedder> {
  const embedder = await createEmbedder({ kind: 'local', queryCacheMax: 0, warn: message => console.warn(message) })
  onEnd(() => embedder.close())
  return embedder
}

async function bodyOf(request: IncomingMessage): Promise<Static<typeof requestSchema>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Value.Decode(requestSchema, JSON.parse(Buffer.concat(chunks).toString('utf8')))
}
