/** Letters of the scripts that put no spaces between words, to stand within a class of a pattern with the flag `u` or `v`. */
export const UNSPACED_LETTERS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map(script => `\\p{sc=${script}}`)
  .join('')
