import { historyItems, memoryItems, recordItem } from './archive-lines.ts'
import type { ExportWriter } from './format.ts'

/** One JSON object a line, each with its `type`: the form that an import reads back without loss. */
export function jsonlWriter(): ExportWriter {
  const line = (value: object) => `${JSON.stringify(value)}\n`
  return {
    contentType: 'application/x-ndjson',
    extension: 'jsonl',
    begin: manifest => line({ type: 'manifest', ...manifest }),
    memory: memory =>
      memoryItems(memory)
        .map(item => line({ type: 'memory', ...item }))
        .join(''),
    history: (id, events) => historyItems(id, events).map(line).join(''),
    beginSection: () => '',
    record: record => line(recordItem(record)),
    endSection: () => '',
    // The checksum is of all lines before this one, so that a reader knows that none is missing or changed.
    end: (counts, sha256) => line({ type: 'end', counts, sha256 }),
  }
}
