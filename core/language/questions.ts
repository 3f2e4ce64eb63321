/** A question mark of any script at its end, an opening one, or the particle that ends a Japanese question. */
const SIGN = /[?？؟][\s"'”’»)\]」』!！]*$|^\s*¿|(?:です|ます|でしょう|ません|ました|でした|だろう|の|かな)か[。．\s]*$/u

/**
 * Tells whether a sentence asks something, by its signs alone: words that begin questions begin statements as well ("When Anna is away,
 * Ben runs the shop.").
 */
export function isQuestion(sentence: string): boolean {
  return SIGN.test(sentence)
}
