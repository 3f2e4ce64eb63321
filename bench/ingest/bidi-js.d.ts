/** The part of bidi-js that the benchmark uses; the package brings no types. */
declare module 'bidi-js' {
  interface Bidi {
    getEmbeddingLevels(text: string, direction: 'auto' | 'ltr' | 'rtl'): { levels: Uint8Array }
    /** The indices of the characters from the left to the right. */
    getReorderedIndices(text: string, levels: { levels: Uint8Array }): number[]
  }
  export default function createBidi(): Bidi
}
