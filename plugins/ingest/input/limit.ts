import { fileFormat } from '../formats.ts'
import { FILE_BYTES_MAX, formatOfWord } from './format.ts'

/** The most that a file may have, as far as the fields before it say its format. */
export function bytesMaxOf({ format: word }: Readonly<Record<string, unknown>>): number {
  const format = typeof word === 'string' ? formatOfWord(word) : undefined
  return format === undefined || format === 'URL' ? FILE_BYTES_MAX : fileFormat(format).bytesMax
}
