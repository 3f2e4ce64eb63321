import { createHash } from 'node:crypto'

/** Equal for texts that count as identical content: the SHA-256 of the text after Unicode NFC and trimming. */
export function contentHash(text: string): Uint8Array {
  return createHash('sha256').update(text.normalize('NFC').trim(), 'utf8').digest()
}
