import { fullGC } from 'bun:jsc'

/** Collects young garbage of this thread, or `all` of it, and gives free memory back to the system. `Bun.gc(true)` takes twice as long as `fullGC`. */
export function collectGarbage(all: boolean): void {
  if (all) fullGC()
  Bun.gc(false)
}
