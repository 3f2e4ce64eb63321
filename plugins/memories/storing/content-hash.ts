import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { type Tenant, unicodeForm } from 'mneme/plugin'
import type { Statement } from '../contract.ts'
import { uniqueness } from '../settings/workspace.ts'

/** Hashes a text with SHA-256 after Unicode NFC and trimming; duplicates have equal hashes. */
export function contentHash(text: string): Uint8Array {
  return createHash('sha256').update(unicodeForm(text, 'NFC').trim(), 'utf8').digest()
}

/** The same hash as it is written in SQL and as a key. */
export function hashOf(text: string): string {
  return Buffer.from(contentHash(text)).toString('hex')
}

/** The user within whom a text of this user is stored once; empty where that is the workspace. */
export function uniqueWithin({ workspace }: Pick<Tenant, 'workspace'>, userId: string): string {
  return uniqueness.of(workspace) === 'user' ? userId : ''
}

/** Equal for texts of which the workspace stores one. */
export function contentKey(tenant: Pick<Tenant, 'workspace'>, { text, userId }: Statement): string {
  return hashOf(text) + uniqueWithin(tenant, userId)
}
