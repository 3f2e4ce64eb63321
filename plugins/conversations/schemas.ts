import { type Static, Type } from '@sinclair/typebox'
import { instant, oneOf, text, uuid } from 'mneme/plugin'
import { modelInstructions, newMemoryFields } from '../memories/contract.ts'
import { ROLES } from './conversation.ts'

export const MESSAGES_MAX = 1000
export const CONTENT_MAX = 50_000
/** Characters of all messages together. */
export const CHARACTERS_MAX = 1_000_000
/** Each memory of the conversation gets the metadata, so it is held smaller than that of a single memory. */
export const METADATA_BYTES_MAX = 8192

/** A dry run takes no more than this. */
export const REHEARSAL_MAX = { messages: 100, characters: CONTENT_MAX }

const said = 'When it was said; left out: when the conversation was submitted.'

/** Parts of these types are what somebody says, in the messages of OpenAI's, Anthropic's and other libraries. */
export const SPOKEN = ['text', 'input_text', 'output_text']

const part = Type.Object(
  {
    type: text({
      minLength: 1,
      maxLength: 100,
      description: `What it is; parts other than ${SPOKEN.join(', ')} are ignored.`,
    }),
    text: Type.Optional(text({ maxLength: CONTENT_MAX, description: 'What is said.' })),
  },
  { additionalProperties: true },
)

const content = Type.Union(
  [
    text({ minLength: 1, maxLength: CONTENT_MAX, notBlank: true }),
    Type.Array(part, { maxItems: MESSAGES_MAX }),
    Type.Null(),
  ],
  {
    description:
      'What is said: a text, or a list of parts as libraries of language models give them out. Null where nothing is, as beside calls of tools.',
    errorMessage: 'must be a string, a list of parts, or null',
  },
)

const unread = Type.Optional(
  Type.Unknown({ description: 'Accepted, since libraries of language models give it out, and not read.' }),
)

const message = Type.Object({
  role: oneOf(ROLES, {
    description:
      'Who speaks. Memories are made of what the user says, and of what the assistant recommends, decides, promises, finds out or does; all others are ignored.',
  }),
  content,
  created_at: Type.Optional(
    Type.Union([instant({ description: said, happened: true }), Type.Null()], {
      description: said,
      errorMessage: 'must be an ISO 8601 date or date-time from 1900 on and not more than a day ahead, or null',
    }),
  ),
  id: unread,
  name: unread,
  type: unread,
  status: unread,
  tool_calls: unread,
  tool_call_id: unread,
  function_call: unread,
  refusal: unread,
  annotations: unread,
  audio: unread,
})

export const conversationBody = Type.Object({
  messages: Type.Array(message, {
    minItems: 1,
    maxItems: MESSAGES_MAX,
    description: `In the order in which they were said. At most ${CHARACTERS_MAX} characters in all.`,
  }),
  ...newMemoryFields,
  metadata: Type.Optional({
    ...newMemoryFields.metadata,
    description: `Any JSON object of at most ${METADATA_BYTES_MAX} bytes; each memory gets it, with \`conversation_id\`, \`turn\`, \`role\` and \`said_at\` added, and \`said_by\` of what the assistant said. A \`said_at\` of null says that the time of messages without \`created_at\` is not known; it stays null.`,
  }),
  instructions: Type.Optional(modelInstructions),
})
export type ConversationBody = Static<typeof conversationBody>

export const conversationQuery = Type.Object({
  dry_run: Type.Boolean({
    default: false,
    description: `Responds 200 with what would be stored now, and stores nothing; for at most ${REHEARSAL_MAX.messages} messages with ${REHEARSAL_MAX.characters} characters in all.`,
  }),
})
export type ConversationQuery = Static<typeof conversationQuery>

export const conversationParams = Type.Object({ id: uuid({ description: "The conversation's id." }) })

const orNull = <S extends ReturnType<typeof Type.String>>(schema: S) =>
  Type.Union([schema, Type.Null()], { description: schema.description ?? '' })
const string = (description: string) => Type.String({ description })
const time = (description: string) => Type.String({ format: 'date-time', description })
const count = (description: string) => Type.Integer({ description })

/** The response of both endpoints. */
export const conversationResponse = Type.Object(
  {
    id: uuid({ description: "The conversation's id." }),
    status: Type.Union(
      ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'].map(status => Type.Literal(status)),
      { description: 'How far the search for facts is.' },
    ),
    memories: Type.Union([Type.Array(Type.String({ format: 'uuid' })), Type.Null()], {
      description:
        'Ids of the memories that hold its facts, in the order in which they were said; null until the conversation is COMPLETED or FAILED, and in the response to its submission.',
    }),
    memories_created: count('How many of them were made for it.'),
    memories_known: count('How many of them said the same before.'),
    user_id: string('Whose conversation it is.'),
    agent_id: orNull(string('The agent it was held with.')),
    session_id: orNull(string('The session it was held in.')),
    messages: count('How many messages were submitted.'),
    extracted_by: Type.Array(Type.String(), {
      description:
        'What drew the facts: `local`, the id of a language model, or both where the model was unavailable for a part.',
    }),
    error: orNull(string('Why it failed, when it did.')),
    created_at: time('When it was submitted.'),
    updated_at: time('When its status was last another.'),
  },
  { title: 'Conversation' },
)

/** A memory that would be stored: without what it gets with its row. */
const rehearsedMemory = Type.Object(
  {
    memory: string('Its text.'),
    user_id: string('The user it would belong to.'),
    agent_id: orNull(string('The agent it would be stored by.')),
    session_id: orNull(string('The session it would be of.')),
    priority: string('Its priority.'),
    categories: Type.Array(Type.String(), { description: 'Its categories.' }),
    metadata: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Its metadata, without the `conversation_id` that it would get.',
    }),
    source: string('Always `CONVERSATION`.'),
  },
  { title: 'RehearsedMemory' },
)

/** The response to a dry run. */
export const rehearsalResponse = Type.Object(
  {
    memories: Type.Array(rehearsedMemory, {
      description:
        'The memories that would be made, in the order in which their facts were said; not those that say what is stored already.',
    }),
    extracted_by: Type.Array(Type.String(), {
      description:
        'What drew the facts: `local`, the id of a language model, or both where the model was away for a part.',
    }),
  },
  { title: 'ConversationRehearsal' },
)
