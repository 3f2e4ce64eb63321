import type { Format } from '../job.ts'
import { csvWriter } from './csv.ts'
import type { ExportWriter } from './format.ts'
import { jsonWriter } from './json.ts'
import { jsonlWriter } from './jsonl.ts'
import { markdownWriter } from './markdown.ts'

const writers: Readonly<Record<Format, () => ExportWriter>> = {
  JSONL: jsonlWriter,
  JSON: jsonWriter,
  CSV: csvWriter,
  MARKDOWN: markdownWriter,
}

/** A download has one of these. */
export const CONTENT_TYPES: readonly string[] = Object.values(writers).map(
  make => make().contentType.split(';', 1)[0] ?? '',
)

/** A writer for one file: it remembers where it is. */
export function writerOf(format: Format): ExportWriter {
  return writers[format]()
}
