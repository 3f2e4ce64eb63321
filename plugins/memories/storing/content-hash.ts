import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { unicodeForm } from 'mneme/plugin'

/** Hashes a text with SHA-256 after Unicode NFC and trimming; duplicates have equal hashes. */
export function contentHash(text: string): Uint8Array {
  return createHash('sha256').update(unicodeForm(text, 'NFC').trim(), 'utf8').digest()
}

/** The same hash as it is written in SQL and as a key. */
export function hashOf(text: string): string {
  return Buffer.from(contentHash(text)).toString('hex')
}
