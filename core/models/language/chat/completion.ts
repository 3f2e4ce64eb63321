import { estimatedTokens } from '../../http/sent-text.ts'
import { type Question, type Reading, tokenCount } from '../endpoint.ts'
import { fit } from '../fit.ts'
import type { OutputFault, TokenUsage } from '../language-model.ts'
import { completionIn, cutOffCompletionIn } from './written-json.ts'

/**
 * Servers name a completion that was cut off so. https://platform.openai.com/docs/api-reference/chat,
 * https://docs.mistral.ai/api (`model_length`: the context is full); gateways pass Anthropic's `max_tokens` on.
 */
const CUT_OFF: readonly unknown[] = ['length', 'model_length', 'max_tokens']

/**
 * Reads the first choice of a chat completion. Returns undefined when it is none, such as the response of a proxy or an
 * empty list of choices.
 * @param sentChars the length of the request, for servers that do not count tokens
 */
export function readChat(body: unknown, { schema, maxTokens }: Question, sentChars: number): Reading | undefined {
  const choices: unknown = Object(body).choices
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  const { message, finish_reason } = Object(choice)
  if (typeof message !== 'object' || message === null || finish_reason === 'error') return undefined
  const { usage: counted } = Object(body)
  // Some servers name another reason, which their count belies: https://github.com/vllm-project/vllm/issues/58228,
  // https://github.com/BerriAI/litellm/issues/25825
  const isCutOff = CUT_OFF.includes(finish_reason) || Object(counted).completion_tokens === maxTokens
  const answers = answersIn(message)
  const written = answers.length > 0 ? answers : thoughtsIn(message)
  const said = written[0] ?? ''
  const usage = readUsage(counted, sentChars, written.join('').length)
  const useless = (reason: OutputFault, words: string): Reading => ({
    kind: 'useless',
    reason,
    message: words,
    said,
    usage,
  })
  // Some models go on with blanks after a whole completion until their tokens end; what they only thought of is none.
  const found = isCutOff
    ? answers.map(text => cutOffCompletionIn(schema, text))
    : written.map(text => completionIn(schema, text))
  const value = found.find(one => one !== undefined)
  const isWhole = value !== undefined && 'value' in fit(schema, value)
  if (isWhole) return { kind: 'completion', value, said, usage }
  if (isText(Object(message).refusal) || finish_reason === 'content_filter') {
    return useless('refused', 'declines to work on this text')
  }
  if (isCutOff) return useless('truncated', 'did not come to an end within the tokens it has')
  if (value === undefined) return useless('malformed', 'answered without the form that was asked for')
  return { kind: 'completion', value, said, usage }
}

/** Lists the texts that may hold the completion: arguments of tool calls, and the content. */
function answersIn(message: object): string[] {
  const { tool_calls, function_call, content } = Object(message)
  const calls: unknown[] = [...(Array.isArray(tool_calls) ? tool_calls : []), { function: function_call }]
  return [...calls.map(call => argumentsOf(Object(call).function)), contentOf(content)].filter(isText)
}

/** Some servers take the whole completion for a thought. */
function thoughtsIn(message: object): string[] {
  const { reasoning_content, reasoning } = Object(message)
  return [reasoning_content, reasoning].filter(isText).slice(0, 1)
}

/** Servers write arguments as a text, as the protocol has it, or as the object itself. */
function argumentsOf(call: unknown): unknown {
  const given: unknown = Object(call).arguments
  return typeof given === 'object' && given !== null ? JSON.stringify(given) : given
}

/** Some servers split the content into parts, of which those of text count. */
function contentOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  return content
    .map(part => Object(part).text)
    .filter(isText)
    .join('')
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function readUsage(usage: unknown, sentChars: number, writtenChars: number): TokenUsage {
  const { prompt_tokens, completion_tokens, prompt_tokens_details } = Object(usage)
  return {
    inputTokens: tokenCount(prompt_tokens) || estimatedTokens(sentChars),
    cachedTokens: tokenCount(Object(prompt_tokens_details).cached_tokens),
    outputTokens: tokenCount(completion_tokens) || estimatedTokens(writtenChars),
  }
}
