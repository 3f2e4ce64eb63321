import { Kind, TypeRegistry } from '@sinclair/typebox'
import { isStorableText, Type, text } from 'mneme/plugin'

TypeRegistry.Set('McpParams', (_, value) => typeof value === 'object' && !Array.isArray(value) && isFit(value))

/** Refuses what is no text, wherever it stands, as all input is refused that holds any. */
function isFit(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, part]) => isFit(name) && isFit(part))
}

const jsonrpc = Type.Literal('2.0', { description: 'The version of JSON-RPC.' })
const id = Type.Union([text({ maxLength: 255 }), Type.Integer()], { description: 'The reply has the same.' })
const method = text({ minLength: 1, maxLength: 255, description: 'As `initialize`, `tools/list` or `tools/call`.' })
const params = Type.Unsafe<Readonly<Record<string, unknown>>>({
  [Kind]: 'McpParams',
  type: 'object',
  additionalProperties: true,
  errorMessage: 'must be an object without NUL characters and lone surrogates',
  description: 'What the method takes.',
})

export const message = Type.Object(
  { jsonrpc, id: Type.Optional(id), method, params: Type.Optional(params) },
  { description: 'One request, or without `id` a notification.' },
)

export const endpointQuery = Type.Object({
  user_id: Type.Optional(
    text({
      minLength: 1,
      maxLength: 255,
      notBlank: true,
      description: 'Whose memory this is: calls of tools that name no user are for this one.',
    }),
  ),
})

const fault = Type.Object(
  {
    code: Type.Integer({ description: 'As the protocol has it.' }),
    message: Type.String({ description: 'What is wrong.' }),
    data: Type.Optional(Type.Unknown({ description: 'More about it.' })),
  },
  { description: 'Why there is no result.' },
)
const replyId = Type.Union([Type.String(), Type.Integer(), Type.Null()], { description: 'That of the request.' })

export const reply = Type.Object({
  jsonrpc,
  id: replyId,
  result: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'What the method returns; `content` of a tool.' }),
  ),
  error: Type.Optional(fault),
})
