/** Something that keeps bytes in the memory of this process, up to a bound. */
export interface Holding {
  /** Groups holdings in metrics, as `auth.keys`. */
  readonly name: string
  readonly maxBytes: number
  /** Estimated, of what is kept now. */
  bytes(): number
  /** Lets go of what can be loaded or made again. Absent where that would lose something, as in a buffer that waits to be written. */
  drop?(): void
}

/** Everything that is held, of all parts of the process. What nobody uses any more leaves by itself. */
const holdings = new Set<WeakRef<Holding>>()

/** Counts a holding from now on, for as long as somebody keeps it. @returns the same */
export function held<H extends Holding>(holding: H): H {
  holdings.add(new WeakRef(holding))
  return holding
}

/** The bytes of all holdings of a name, and the bytes that they may have. */
export interface Held {
  bytes: number
  maxBytes: number
}

export function heldByName(): ReadonlyMap<string, Readonly<Held>> {
  const byName = new Map<string, Held>()
  const all = living(holding => ({ name: holding.name, maxBytes: holding.maxBytes, bytes: holding.bytes() }))
  for (const { name, maxBytes, bytes } of all) {
    const sum = byName.get(name) ?? { bytes: 0, maxBytes: 0 }
    byName.set(name, { bytes: sum.bytes + bytes, maxBytes: sum.maxBytes + maxBytes })
  }
  return byName
}

/** Lets go of all that can be had again. @returns how many bytes that were */
export function dropCaches(): number {
  const dropped = living(holding => {
    if (!holding.drop) return 0
    const bytes = holding.bytes()
    holding.drop()
    return bytes
  })
  return dropped.reduce((sum, bytes) => sum + bytes, 0)
}

function living<T>(look: (holding: Holding) => T): T[] {
  const seen: T[] = []
  for (const reference of holdings) {
    const holding = reference.deref()
    if (holding) seen.push(look(holding))
    else holdings.delete(reference)
  }
  return seen
}
