import { Buffer } from 'node:buffer'
import { fail, letOthersIn } from 'mneme/plugin'
import { LINE_BYTES_MAX } from '../schemas.ts'
import { isItem } from './inspect.ts'

const BREAK = 10

/**
 * Passes a file on as it arrives. It holds no more than the first line, which says whether the file is one of lines; one JSON document may
 * have lines of any length.
 * @throws FILE_TOO_LARGE where a line is longer than imports read
 */
export async function* withinLineLimit(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes = LINE_BYTES_MAX,
): AsyncGenerator<Uint8Array> {
  let kind: 'unknown' | 'lines' | 'document' = 'unknown'
  let opening: Uint8Array[] = []
  let line = 1
  let length = 0
  for await (const chunk of bytes) {
    for (let from = 0; kind !== 'document'; ) {
      const to = chunk.indexOf(BREAK, from)
      const part = chunk.subarray(from, to < 0 ? chunk.length : to)
      length += part.length
      if (kind === 'unknown') opening.push(part)
      if (length > maxBytes) {
        if (kind === 'lines') throw tooLong(line, maxBytes)
        kind = 'document'
        opening = []
      }
      if (to < 0) break
      if (kind === 'unknown') kind = kindOf(Buffer.concat(opening).toString('utf8'))
      opening = []
      from = to + 1
      length = 0
      line++
      await letOthersIn()
    }
    yield chunk
  }
}

function kindOf(line: string): 'unknown' | 'lines' | 'document' {
  if (line.trim() === '') return 'unknown'
  return isItem(line) ? 'lines' : 'document'
}

function tooLong(line: number, maxBytes: number) {
  return fail('FILE_TOO_LARGE', {
    message: `Line ${line} of the file is longer than ${maxBytes} bytes, which is the most that a line may have.`,
  })
}
