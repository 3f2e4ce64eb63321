import { onEnd } from '../test/support/closing.ts'
import { serveHttp } from '../test/support/http-server.ts'

interface Call {
  readonly path: string
  /** The request as it came, as text: what the model was told stands in it. */
  readonly body: string
}

/** The networks of OpenAI and Anthropic: every model answers with the same text, at once or as a stream. */
export async function fakeModels(answer: string) {
  const calls: Call[] = []
  const { origin, close } = await serveHttp(async request => {
    const body = await request.text()
    const path = new URL(request.url).pathname
    calls.push({ path, body })
    const given = JSON.parse(body)
    const asksForTool = path === '/v1/chat/completions' && given.tools && !body.includes('"role":"tool"')
    if (given.stream) return new Response(streams(path, answer), { headers: { 'content-type': 'text/event-stream' } })
    return Response.json(asksForTool ? toolCall(given.messages.at(-1).content) : whole(path, answer))
  })
  onEnd(async () => close())
  return {
    origin,
    calls,
    environment: {
      OPENAI_BASE_URL: `${origin}/v1`,
      OPENAI_API_KEY: 'k',
      ANTHROPIC_BASE_URL: origin,
      ANTHROPIC_API_KEY: 'k',
    },
  }
}

const COMPLETION = { id: 'c1', created: 1, model: 'fake', object: 'chat.completion' }
const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }

function toolCall(query: string) {
  const call = { id: 't1', type: 'function', function: { name: 'recall', arguments: JSON.stringify({ query }) } }
  const message = { role: 'assistant', content: null, tool_calls: [call] }
  return { ...COMPLETION, usage: USAGE, choices: [{ index: 0, finish_reason: 'tool_calls', message }] }
}

function whole(path: string, text: string): object {
  if (path === '/v1/messages') {
    const content = [{ type: 'text', text }]
    return {
      id: 'm1',
      type: 'message',
      role: 'assistant',
      model: 'fake',
      content,
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 1 },
    }
  }
  if (path === '/v1/responses') {
    const content = [{ type: 'output_text', text, annotations: [] }]
    return {
      id: 'r1',
      object: 'response',
      output: [{ type: 'message', id: 'o1', role: 'assistant', status: 'completed', content }],
    }
  }
  const message = { role: 'assistant', content: text }
  return { ...COMPLETION, usage: USAGE, choices: [{ index: 0, finish_reason: 'stop', message }] }
}

function streams(path: string, text: string): string {
  const halves = [text.slice(0, 5), text.slice(5)]
  const chunk = (delta: object, finish_reason: string | null) => ({
    ...COMPLETION,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  })
  const events =
    path === '/v1/messages'
      ? halves.map(part => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: part } }))
      : path === '/v1/responses'
        ? halves.map(delta => ({
            type: 'response.output_text.delta',
            delta,
            item_id: 'o1',
            output_index: 0,
            content_index: 0,
          }))
        : [...halves.map(content => chunk({ content }, null)), chunk({}, 'stop')]
  return `${events.map(event => `${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join('')}${path === '/v1/chat/completions' ? 'data: [DONE]\n\n' : ''}`
}
