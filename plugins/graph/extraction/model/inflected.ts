import type { Span } from '../../contract.ts'

const WORD = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|[-&.](?=[\p{L}\p{N}]))*/gu
/** Endings of a genitive: "Annas", "Bergs". */
const OWNED = /^(?:s|es)$/
/** Endings of adjectives in names: "bei der Deutschen Bahn", "dem Roten Kreuz". */
const DECLINED = /^(?:e|en|em|er|es|n|r|s)?$/
const STEM_MIN = 3

/**
 * Finds a name in an inflected form, as in German: "Anna" in "Annas Firma", "Deutsche Bahn" in "der Deutschen Bahn".
 * A single word may only take a genitive's ending; of several one must stand there as it is. Undefined where there is none.
 */
export function inflected(text: string, name: string): Span | undefined {
  const wanted = name.match(WORD) ?? []
  if (wanted.length === 0 || wanted.join(' ') !== name) return undefined
  const words = [...text.matchAll(WORD)]
  for (let at = 0; at + wanted.length <= words.length; at++) {
    const found = words.slice(at, at + wanted.length)
    const forms = found.map(([form]) => form)
    const start = found[0]?.index ?? 0
    const end = (found.at(-1)?.index ?? 0) + (forms.at(-1)?.length ?? 0)
    if (/^\S+(?: \S+)*$/.test(text.slice(start, end)) && isForm(wanted, forms)) return { start, end }
  }
  return undefined
}

function isForm(wanted: readonly string[], found: readonly string[]): boolean {
  const last = wanted.length - 1
  const fits = wanted.every((word, i) => {
    const form = found[i] ?? ''
    return word === form || isOwned(word, form, i === last) || (last > 0 && i < last && isDeclined(word, form))
  })
  return fits && (last === 0 || wanted.some((word, i) => word === found[i] && word.length >= STEM_MIN))
}

function isOwned(word: string, form: string, isLast: boolean): boolean {
  return isLast && word.length >= STEM_MIN && form.startsWith(word) && OWNED.test(form.slice(word.length))
}

function isDeclined(word: string, form: string): boolean {
  let stem = 0
  while (stem < word.length && word[stem] === form[stem]) stem++
  return stem >= STEM_MIN && DECLINED.test(word.slice(stem)) && DECLINED.test(form.slice(stem))
}
