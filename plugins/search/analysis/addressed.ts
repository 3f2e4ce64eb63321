import { isFunctionWord } from './function-words.ts'

/** Queries that name more people are lists of names. */
const NAMES_MAX = 16
const WORD = /\p{L}[\p{L}\p{M}\p{Nd}]*/gu
/** A letter that is, or could be, the first of a name: a capital, or one of a script that has none. */
const NAME_BEGINS = /^[\p{Lu}\p{Lt}\p{Lo}]/u

/**
 * Words of a query that could be the name of somebody, in lower case: those with a capital, or all of them where nothing has
 * one, without function words.
 */
export function possibleNames(query: string, language?: string): string[] {
  const words = query.normalize('NFC').match(WORD) ?? []
  const marked = words.filter(word => NAME_BEGINS.test(word))
  const names = new Set((marked.length > 0 ? marked : words).map(word => word.toLowerCase()))
  return [...names].filter(name => name.length > 1 && !isFunctionWord(name, language)).slice(0, NAMES_MAX)
}

/**
 * A question about somebody as it would be put to them: "When did Ada visit Rome?" is "When did you visit Rome?". In a
 * transcript people speak of themselves without their names, and a name on which all they say begins tells nothing of what it
 * says. In other languages than English, whose verbs would have to change as well, the name is left out. Undefined when
 * little is left.
 *
 * @param speakers names of people, in lower case, as {@link readTraits} tells them
 */
export function addressed(query: string, speakers: readonly string[], language = 'en'): string | undefined {
  const english = language.startsWith('en')
  let text = query.normalize('NFC')
  for (const speaker of speakers) {
    const [first = '', ...rest] = speaker.split(' ').map(escaped)
    const whole = rest.length > 0 ? `${first}(?: ${rest.join(' ')})?` : first
    const named = new RegExp(`(?<![\\p{L}\\p{Nd}])${whole}(['’]s?(?!\\p{L}))?(?![\\p{L}\\p{M}\\p{Nd}])`, 'giu')
    text = text.replace(named, (_, possessive) => (english ? (possessive ? 'your' : 'you') : ''))
  }
  const left = text.match(WORD) ?? []
  const tells = left.some(word => !isFunctionWord(word.toLowerCase(), language))
  return tells ? text.replace(/\s+/g, ' ').trim() : undefined
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
