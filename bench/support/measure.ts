/** The value below which a share of the samples lies; `share` from 0 to 1. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Milliseconds that a call takes. */
export async function elapsed(call: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await call()
  return performance.now() - startedAt
}

/** Milliseconds of each of `count` calls, one after the other. */
export async function oneByOne(count: number, call: (n: number) => Promise<unknown>): Promise<number[]> {
  const samples: number[] = []
  for (let n = 0; n < count; n++) {
    samples.push(await elapsed(() => call(n)))
  }
  return samples
}

/** Calls a second that `clients` callers get through in about `durationMs`. */
export async function throughput(clients: number, durationMs: number, call: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  const deadline = startedAt + durationMs
  let done = 0
  const client = async () => {
    while (performance.now() < deadline) {
      await call()
      done++
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return (done * 1000) / (performance.now() - startedAt)
}

/** One line of a report; `target` is shown as it is. */
export function report(what: string, value: number, unit: string, target = ''): void {
  const figure = Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2)
  console.log(`${what.padEnd(62)} ${figure.padStart(8)} ${unit.padEnd(6)} ${target && `(target ${target})`}`)
}

/** A text of about 120 characters that no other call gave. */
export function freshText(n: number): string {
  const topics = [
    'the quarterly budget',
    'a trip to Lisbon',
    'the TypeScript migration',
    'her new bicycle',
    'the garden party',
  ]
  return `Note ${n} of ${crypto.randomUUID()}: Ada spoke about ${topics[n % topics.length]} and wants to come back to it in ${1 + (n % 12)} weeks.`
}
