import { createHash } from 'node:crypto'

/** The owner of the graph. */
export interface Owner {
  readonly workspaceId: string
  readonly userId: string
}

/** The same name makes the same entity again after all that named it went, so that its id is stable over updates. */
export function entityId({ workspaceId, userId }: Owner, normalName: string): string {
  const hash = createHash('sha256').update([workspaceId, userId, normalName].join('\n')).digest()
  // A UUID of version 8: whatever its maker likes.
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  const hex = hash.toString('hex', 0, 16)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
