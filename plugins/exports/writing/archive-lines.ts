import { Buffer } from 'node:buffer'
import { inParts } from 'mneme/plugin'
import {
  ARCHIVE_LINE_BYTES_MAX,
  type ArchivedEvent,
  type ArchivedMemory,
  type ArchiveRecord,
} from '../../memories/contract.ts'

/** A memory with as much history, and what else it has, fits into a line. */
const HISTORY_BYTES = 256 * 1024

/** A memory with its history as items of an archive: where the history is long, items with more of it follow. */
export function memoryItems(memory: ArchivedMemory): object[] {
  if (!memory.history) return [memory]
  const [first = [], ...more] = inParts(memory.history, HISTORY_BYTES, sizeOf)
  const whole = { ...memory, history: first }
  const fits = sizeOf({ type: 'memory', ...whole }) <= ARCHIVE_LINE_BYTES_MAX
  const rest = fits ? more : [first, ...more]
  return [
    fits ? whole : { ...memory, history: [] },
    ...rest.map(history => ({ type: 'history', id: memory.id, history })),
  ]
}

/** More of a memory's history as items that follow it. */
export function historyItems(id: string, events: readonly ArchivedEvent[]): object[] {
  return inParts(events, HISTORY_BYTES, sizeOf).map(history => ({ type: 'history', id, history }))
}

/** A record as an item of an archive. Of one that no import would take, the largest fields are left out and named. */
export function recordItem(record: ArchiveRecord): object {
  let excess = sizeOf(record) - ARCHIVE_LINE_BYTES_MAX
  if (excess <= 0) return record
  const sizes = Object.entries(record).map(([name, value]) => [name, sizeOf(value)] as const)
  const leftOut: string[] = []
  for (const [name, size] of sizes.toSorted(([, a], [, b]) => b - a)) {
    // The names of the fields take their room too.
    if (excess + sizeOf({ left_out: leftOut }) <= 0) break
    excess -= size
    leftOut.push(name)
  }
  const kept = Object.entries(record).filter(([name]) => !leftOut.includes(name))
  return { ...Object.fromEntries(kept), left_out: leftOut }
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}
