import { Buffer } from 'node:buffer'
import type { ArchivedMemory } from '../../memories/contract.ts'
import type { ExportWriter } from './format.ts'

/** A line that an import takes has at most 1 MB, and a memory's text and metadata may have nearly half of that. */
const HISTORY_BYTES = 256 * 1024

/** One JSON object a line, each with its `type`: the form that an import reads back without loss. */
export function jsonlWriter(): ExportWriter {
  const line = (value: object) => `${JSON.stringify(value)}\n`
  return {
    contentType: 'application/x-ndjson',
    extension: 'jsonl',
    begin: manifest => line({ type: 'manifest', ...manifest }),
    memory: memory => linesOf(memory).map(line).join(''),
    beginSection: () => '',
    record: record => line(record),
    endSection: () => '',
    // The checksum is of all lines before this one, so that a reader knows that none is missing or changed.
    end: (counts, sha256) => line({ type: 'end', counts, sha256 }),
  }
}

/** A memory with its history; where that is long, lines with more of it follow. */
function linesOf(memory: ArchivedMemory): object[] {
  if (!memory.history) return [{ type: 'memory', ...memory }]
  const [first = [], ...more] = partsOf(memory.history)
  return [
    { type: 'memory', ...memory, history: first },
    ...more.map(history => ({ type: 'history', id: memory.id, history })),
  ]
}

type Events = NonNullable<ArchivedMemory['history']>

function partsOf(history: Events): Events[] {
  const parts: Events[] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const event of history) {
    const size = Buffer.byteLength(JSON.stringify(event))
    if (bytes + size > HISTORY_BYTES) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)?.push(event)
    bytes += size
  }
  return parts
}
