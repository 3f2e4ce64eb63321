import { denies, deniesVerb, isStorableText, numbersIn, tellsException, UNSPACED_LETTERS } from 'mneme/plugin'
import { isOfMachine, speechActs } from 'text-reader/messages'
import { type JudgedWords, judgedWords } from './judged-words.ts'
import { plain } from './plain.ts'

const FACT_MAX = 1000
/** Words of a fact that the conversation has too, as a share: the rest is how it is put. */
const FAMILIAR_MIN = 0.6
/** Letters by which inflected forms of a word are alike. */
const STEM_LETTERS = 4

/**
 * Tells whether the conversation supports a fact that a model states: the quote stands in the user's turn, every name
 * and number in the conversation, most words as well.
 * @param said everything that was said, the turns before included
 */
export function isBorneOut(fact: string, quote: string, turn: string, said: string): boolean {
  if (!standsIn(quote, turn)) return false
  if (fact.trim() === '' || fact.length > FACT_MAX || /[\r\n]/.test(fact) || !isStorableText(fact)) return false
  if (speechActs.isQuestion(fact) || speechActs.givesRole(fact)) return false
  if (isOfMachine(fact)) return false
  const known = plain(said)
  return (
    numbersOf(fact).every(number => numbersOf(said).includes(number)) &&
    namesOf(fact).every(name => known.includes(plain(name))) &&
    isFamiliar(fact, known)
  )
}

/** Tells whether what the words of a quotation deny stays denied in a fact, and nothing else is. */
export function keepsDenials(fact: string, quote: string, turn: string): boolean {
  return judgedWords(fact, quote, turn).some(judged => keepsDenial(fact, judged))
}

/** Tells whether a turn holds a quotation, however it is typed. */
export function standsIn(quote: string, turn: string): boolean {
  return quote.trim() !== '' && plain(turn).includes(plain(quote))
}

function numbersOf(text: string): string[] {
  return numbersIn(text).map(plain)
}

/** Words in capitals inside the sentence, and runs of Katakana; the first word is judged with the rest of them. */
function namesOf(fact: string): string[] {
  const inside = fact.trim().replace(/^[^\p{L}]*[\p{L}\p{M}]+/u, '')
  const capitals = inside.match(/(?<![\p{L}'’])(?!I(?![\p{L}]))\p{Lu}[\p{L}\p{M}\p{N}]*/gu) ?? []
  return [...capitals, ...(fact.match(/[\p{sc=Katakana}ー]{3,}/gu) ?? [])]
}

function isFamiliar(fact: string, known: string): boolean {
  const words = (plain(fact).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).flatMap(word =>
    UNSPACED.test(word) ? (word.match(/[\p{sc=Han}]/gu) ?? []) : [word],
  )
  const telling = words.filter(word => (word.length >= STEM_LETTERS && !denies(word)) || /\p{sc=Han}/u.test(word))
  const familiar = telling.filter(word => known.includes(word.slice(0, Math.max(STEM_LETTERS, word.length - 3))))
  return familiar.length >= FAMILIAR_MIN * telling.length
}

const UNSPACED = new RegExp(`[${UNSPACED_LETTERS}]`, 'u')

/** "I don't eat meat" must not become "I eat meat"; "I quit smoking" may become "I no longer smoke". */
function keepsDenial(fact: string, { words, next }: JudgedWords): boolean {
  const all = words + next
  if (denies(fact)) return denies(all) || tellsException(all)
  return !(denies(words) || deniesVerb(next)) || tellsException(fact)
}
