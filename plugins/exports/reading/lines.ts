import { Buffer, isUtf8 } from 'node:buffer'
import { letOthersIn } from 'mneme/plugin'

/** A line without its break, or why it cannot be read; `end` is the place after its break. */
export type Line = { readonly text: string; readonly end: number } | { readonly fault: string; readonly end: number }

const BREAK = 10

/**
 * Splits bytes into lines without holding more than one of them, and lets others in between: a piece of a file may have a quarter of a million.
 * Places count from `start`.
 */
export async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
  start: number,
  maxBytes: number,
): AsyncGenerator<Line> {
  let waiting: Uint8Array[] = []
  let length = 0
  let at = start
  const take = (part: Uint8Array) => {
    length += part.byteLength
    if (length <= maxBytes) waiting.push(part)
    else waiting = []
  }
  const line = (): Line => {
    const isTooLong = length > maxBytes
    const whole = Buffer.concat(waiting)
    waiting = []
    length = 0
    if (isTooLong) return { fault: `is longer than ${maxBytes} bytes`, end: at }
    return isUtf8(whole) ? { text: whole.toString('utf8'), end: at } : { fault: 'is not in UTF-8', end: at }
  }
  for await (const chunk of bytes) {
    let from = 0
    for (let to = chunk.indexOf(BREAK); to >= 0; to = chunk.indexOf(BREAK, from)) {
      take(chunk.subarray(from, to))
      at += to + 1 - from
      from = to + 1
      yield line()
      await letOthersIn()
    }
    take(chunk.subarray(from))
    at += chunk.byteLength - from
  }
  if (length > 0) yield line()
}
