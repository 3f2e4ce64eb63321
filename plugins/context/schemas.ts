import { type Static, Type, text, uuid } from 'mneme/plugin'
import { categoriesField, minScoreField, ownerFilters, timezoneField } from '../memories/contract.ts'

/** Some thousand tokens of English. */
export const CHARACTERS_DEFAULT = 4_000
/** Profile and facts leave room for a part of a memory from here on. */
const CHARACTERS_MIN = 500
const CHARACTERS_MAX = 50_000

export const contextBody = Type.Object({
  query: text({
    minLength: 1,
    maxLength: 50_000,
    notBlank: true,
    description:
      'The message to be answered, or what the conversation is about; plain language. Of more than 1,000 characters the first and last sentences are searched for.',
  }),
  ...ownerFilters,
  categories: categoriesField('Only memories with at least one of these.'),
  min_score: minScoreField,
  timezone: timezoneField,
  max_characters: Type.Optional(
    Type.Integer({
      minimum: CHARACTERS_MIN,
      maximum: CHARACTERS_MAX,
      default: CHARACTERS_DEFAULT,
      description: 'The context is at most so long, in characters. A token of English has about four.',
    }),
  ),
})
export type ContextInput = Static<typeof contextBody>

export const contextResponse = Type.Object({
  context: Type.String({ description: 'Markdown to put into a prompt; empty where nothing is known.' }),
  memories: Type.Array(
    Type.Object({
      id: uuid({ description: 'The memory.' }),
      score: Type.Number({ minimum: 0, maximum: 1, description: 'How well it fits, comparable within this response.' }),
      excerpt: Type.Boolean({ description: 'Whether only a part of its text is in the context.' }),
      ended: Type.Boolean({
        description: 'Whether it tells only what holds no more, by the graph; the context says so.',
      }),
    }),
    { description: 'The memories in the context, in its order.' },
  ),
  query_hash: Type.String({ description: 'The query, for feedback on its memories.' }),
  warning: Type.Optional(Type.String({ description: 'What was missing, such as a model that is unavailable.' })),
})
