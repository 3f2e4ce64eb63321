import { historyItems, memoryItems, recordItem } from './archive-lines.ts'
import type { ExportWriter } from './format.ts'

/** One JSON document, a record a line: `{manifest, memories: [], knowledge: [], graph: [], counts}`. */
export function jsonWriter(): ExportWriter {
  let separator = ''
  const list = (name: string) => {
    separator = ''
    return `${JSON.stringify(name)}:[`
  }
  const item = (value: object) => {
    const written = `${separator}\n${JSON.stringify(value)}`
    separator = ','
    return written
  }
  const listed = (items: readonly object[]) => items.map(one => `,\n${JSON.stringify(one)}`).join('')
  return {
    contentType: 'application/json',
    extension: 'json',
    separator: ',',
    begin: manifest => `{"manifest":${JSON.stringify(manifest)},\n${list('memories')}`,
    memory: memory => listed(memoryItems(memory)),
    history: (id, events) => listed(historyItems(id, events)),
    beginSection: name => `\n],\n${list(name)}`,
    record: record => item(recordItem(record)),
    endSection: () => '',
    end: counts => `\n],\n"counts":${JSON.stringify(counts)}}\n`,
  }
}
