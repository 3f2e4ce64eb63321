import type { ExportWriter } from './format.ts'

/** One JSON document, a record a line: `{manifest, memories: [], sections: {name: []}, counts}`. */
export function jsonWriter(): ExportWriter {
  let separator = ''
  let sections = 0
  const item = (value: object) => {
    const written = `${separator}\n${JSON.stringify(value)}`
    separator = ','
    return written
  }
  return {
    contentType: 'application/json',
    extension: 'json',
    begin: manifest => `{"manifest":${JSON.stringify(manifest)},\n"memories":[`,
    memory: item,
    beginSection(name) {
      separator = ''
      return `${sections++ === 0 ? '\n],\n"sections":{' : ','}\n${JSON.stringify(name)}:[`
    },
    record: item,
    endSection: () => '\n]',
    end: counts => `${sections === 0 ? '\n],\n"sections":{' : ''}\n},\n"counts":${JSON.stringify(counts)}}\n`,
  }
}
