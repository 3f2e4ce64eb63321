/** A piece of a text between two boundaries of words; the pieces of a text together are the text. */
export interface WordSegment {
  readonly segment: string
  /** False for spaces and signs. */
  readonly isWord: boolean
}

/** Splits a text of any language at the boundaries of its words, with a dictionary where the script has no spaces. */
export function* wordSegments(text: string): Generator<WordSegment> {
  for (const { segment, isWordLike } of segmenter.segment(text)) yield { segment, isWord: isWordLike === true }
}

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })
