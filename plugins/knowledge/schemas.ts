import { Type } from '@sinclair/typebox'
import { pageOf, pageParameters, text, uuid } from 'mneme/plugin'
import { CATEGORY_MAX, identifier } from '../memories/contract.ts'

const SEARCH_MAX = 1_000
/** Room for the longest compiled content and as much again by hand. */
export const CONTENT_MAX = 400_000

const category = (description: string) => text({ minLength: 1, maxLength: CATEGORY_MAX, notBlank: true, description })

export const entryParams = Type.Object({ id: uuid({ description: "The entry's id." }) })

export const versionParams = Type.Object({
  id: uuid({ description: "The entry's id." }),
  version: Type.String({
    pattern: '^[1-9][0-9]{0,8}$',
    description: 'The number of the version.',
    errorMessage: 'must be the number of a version',
  }),
})
export const versionsQuery = Type.Object(pageParameters)

export const listQuery = Type.Object({
  user_id: Type.Optional(identifier('Entries of this user.')),
  category: Type.Optional(category('Entries of this category.')),
  search: Type.Optional(
    text({
      minLength: 1,
      maxLength: SEARCH_MAX,
      notBlank: true,
      description: 'Entries whose content holds every word, in the same form or in another one of English.',
    }),
  ),
  merged: Type.Boolean({ default: false, description: 'Responds with one profile of all entries that match.' }),
  page: { ...pageParameters.page, description: 'From 1. Not for a merged profile.' },
  page_size: { ...pageParameters.page_size, description: 'Entries on a page. Not for a merged profile.' },
})

export const editBody = Type.Object({
  content: text({
    minLength: 1,
    maxLength: CONTENT_MAX,
    notBlank: true,
    description: 'The whole content as it should be.',
  }),
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'The version that was edited. When the entry has another by now, nothing is changed.',
    }),
  ),
})

export const compileBody = Type.Object({
  user_id: identifier('Whose knowledge.'),
  category: Type.Optional(category('Only this category; every one when left out.')),
})

const time = (description: string) => Type.String({ format: 'date-time', description })

export const entryAnswer = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: "The entry's id." }),
    user_id: Type.String({ description: 'Whose knowledge it is.' }),
    category: Type.String({ description: 'What it is about.' }),
    content: Type.String({
      description: 'Markdown. Each statement ends with a comment that names the memories that say it.',
    }),
    version: Type.Integer({ description: 'Grows by one with each change of the content.' }),
    created_at: time('When it was first compiled.'),
    updated_at: time('When its content last changed.'),
  },
  { title: 'KnowledgeEntry' },
)

export const entryPage = pageOf(entryAnswer)

export const versionPage = pageOf(
  Type.Object(
    {
      version: Type.Integer({ description: 'Its number.' }),
      content: Type.String({ description: 'Markdown, as the entry has it.' }),
      created_at: time('When the entry came to say so.'),
    },
    { title: 'KnowledgeVersion' },
  ),
  'Those that are kept, 20 at the most.',
)

export const mergedProfile = Type.Object(
  {
    content: Type.String({ description: 'The contents, one after the other.' }),
    version: Type.Integer({ description: 'The sum of the versions.' }),
    categories: Type.Array(Type.String(), { description: 'The categories that are in it.' }),
  },
  { title: 'MergedProfile' },
)

export const listAnswer = Type.Union([entryPage, mergedProfile], {
  description: 'A page of entries; with `merged` one profile.',
})

export const message = Type.Object({ message: Type.String({ description: 'What happens now.' }) })

/** Looked through by hand: what nothing heeds is refused by name. */
export const profileSchema = Type.Object(
  {
    type: Type.Literal('object', { description: 'Always `object`.' }),
    properties: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The properties: plain values, lists of them, and objects; at most 50 in all, three levels deep.',
    }),
  },
  { additionalProperties: true },
)
