import { percentile } from '../support/measure.ts'

interface Entry {
  readonly name: string
  readonly at: number
  readonly ms: number
}

/** Notes each request of all clients, and the memory of the process. */
export class Record {
  readonly #entries: Entry[] = []
  readonly #memory: { readonly at: number; readonly mb: number }[] = []
  readonly #unexplained = new Map<string, number>()
  readonly #statuses = new Map<string, number>()
  /** Since when the server answers again after it was killed; nothing while it is away. */
  #backAt: number | undefined = Number.NEGATIVE_INFINITY

  noteAway(): void {
    this.#backAt = undefined
  }

  noteBack(): void {
    this.#backAt = performance.now()
  }

  /** @param began by `performance.now()` */
  add(name: string, began: number, response: Response | undefined): void {
    const ms = performance.now() - began
    const status = response?.status ?? 0
    this.#statuses.set(classOf(status), (this.#statuses.get(classOf(status)) ?? 0) + 1)
    if (status > 0) this.#entries.push({ name, at: Date.now(), ms })
    if (status === 503 && response?.headers.has('retry-after')) return
    const metNoServer = this.#backAt === undefined || began < this.#backAt
    const isFault = status >= 500 || (status === 0 && !metNoServer)
    if (isFault) this.#unexplained.set(`${status} ${name}`, (this.#unexplained.get(`${status} ${name}`) ?? 0) + 1)
  }

  noteMemory(mb: number): void {
    if (mb > 0) this.#memory.push({ at: Date.now(), mb })
  }

  get statuses(): string {
    return [...this.#statuses]
      .toSorted()
      .map(([name, count]) => `${name}: ${count}`)
      .join(', ')
  }

  /** Responses from 500 up but 503 with Retry-After, and requests without a response, by operation. */
  get unexplained(): readonly (readonly [name: string, count: number])[] {
    return [...this.#unexplained].toSorted(([, a], [, b]) => b - a)
  }

  /** @returns NaN where nothing was measured */
  p95(from: number, to: number): number {
    return p95Of(this.#entries, from, to)
  }

  /** The operations that took the most time in all, each with the p95 of a first and a last time. */
  costliest(
    count: number,
    first: readonly [from: number, to: number],
    last: readonly [from: number, to: number],
  ): readonly (readonly [name: string, firstMs: number, lastMs: number])[] {
    const byName = Map.groupBy(this.#entries, ({ name }) => name)
    const total = (entries: readonly Entry[]) => entries.reduce((sum, { ms }) => sum + ms, 0)
    return [...byName]
      .toSorted(([, a], [, b]) => total(b) - total(a))
      .slice(0, count)
      .map(([name, entries]) => [name, p95Of(entries, ...first), p95Of(entries, ...last)])
  }

  /** Megabytes: the median and the most of a time. */
  memory(from: number, to: number): { readonly median: number; readonly most: number } {
    const readings = this.#memory.filter(({ at }) => at >= from && at < to).map(({ mb }) => mb)
    if (readings.length === 0) return { median: Number.NaN, most: Number.NaN }
    return { median: percentile(readings, 0.5), most: Math.max(...readings) }
  }
}

function p95Of(entries: readonly Entry[], from: number, to: number): number {
  const times = entries.filter(({ at }) => at >= from && at < to).map(({ ms }) => ms)
  return times.length === 0 ? Number.NaN : percentile(times, 0.95)
}

function classOf(status: number): string {
  return status === 0 ? 'none' : `${Math.floor(status / 100)}xx`
}
