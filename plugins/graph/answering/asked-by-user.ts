import { lexicons } from 'mneme/plugin'

/** "The user" is one person; in "the user interface" and "the user's guide" there is none. */
const USER = new RegExp(
  `(?<![\\p{L}\\p{N}'’-])(?:the user|(?<=^\\s*)user)(?<owner>['’]s)?(?![\\p{L}\\p{N}'’-])(?!\\s+(?:${lexicons.USER_COMPOUNDS.join('|')})(?!\\p{L}))`,
  'giu',
)

/** An agent asks about "the user" what the user asks about "me". */
export function askedByUser(query: string): string {
  return query.replace(USER, (_, owner?: string) => (owner ? 'my' : 'I'))
}
