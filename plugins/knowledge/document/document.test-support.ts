import type { KnownEntity, KnownStatement } from '../../graph/contract.ts'

/** An id that is easy to read in a failure: `00000000-0000-4000-8000-000000000007`. */
export function memoryId(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
}

/** A statement of memory `n`, which is the newer the greater `n` is. */
export function statement(n: number, text: string, other: Partial<KnownStatement> = {}): KnownStatement {
  return {
    memoryId: memoryId(n),
    ordinal: 0,
    text,
    categories: ['preferences'],
    confidence: 0.8,
    statedAt: new Date(Date.UTC(2026, 0, 1) + n * 60_000),
    ended: false,
    ...other,
  }
}

export function entity(name: string, other: Partial<KnownEntity> = {}): KnownEntity {
  return { id: crypto.randomUUID(), name, type: 'THING', isUser: false, memories: 3, namedBy: [], ...other }
}
