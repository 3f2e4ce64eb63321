import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { onEnd } from '../../test/support/closing.ts'
import { randomFrom } from '../support/varied-texts.ts'

const DIMENSIONS = 32

/** Serves vectors that follow from a text's hash, as OpenAI's API does: a model that takes no time. @returns its base address */
export async function serveVectors(): Promise<string> {
  const server = createServer(async (request, response) => {
    const { input } = (await json(request)) as { input: string | string[] }
    const data = [input].flat().map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }))
    response.setHeader('Content-Type', 'application/json')
    response.end(
      JSON.stringify({ object: 'list', model: 'vectors', data, usage: { prompt_tokens: 0, total_tokens: 0 } }),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onEnd(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the endpoint has no port')
  return `http://127.0.0.1:${address.port}/v1`
}

function vectorOf(text: string): number[] {
  let seed = 0
  for (const letter of text) seed = Math.imul(seed ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  const random = randomFrom(seed)
  const vector = Array.from({ length: DIMENSIONS }, () => random() - 0.5)
  const length = Math.hypot(...vector)
  return vector.map(value => value / length)
}
