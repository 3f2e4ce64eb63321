import { JSONParser } from '@streamparser/json'

/** An item of a JSON document, with the name of the list that it stands in; empty for the document's own list. */
export interface DocumentItem {
  readonly list: string
  readonly value: unknown
}

/** A document that is no JSON, or whose items are too large. */
export class DocumentError extends Error {}

/**
 * The items of a JSON document: of the list that it is, or of all lists that it holds. No more than one item and one piece of the
 * file are held.
 * @throws DocumentError
 */
export async function* documentItems(
  bytes: AsyncIterable<Uint8Array>,
  maxItemBytes: number,
  root: '[' | '{',
): AsyncGenerator<DocumentItem> {
  const items: DocumentItem[] = []
  let sinceItem = 0
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const parser = new JSONParser({ paths: [root === '[' ? '$.*' : '$.*.*'], keepStack: false })
  parser.onValue = ({ value, stack, key }) => {
    const list = stack.at(-1)?.key
    if (typeof key === 'number') items.push({ list: typeof list === 'string' ? list : '', value })
    sinceItem = 0
  }
  parser.onError = error => {
    throw new DocumentError(`The file is no valid JSON: ${error.message}`)
  }
  for await (const chunk of bytes) {
    sinceItem += chunk.byteLength
    parser.write(textOf(utf8, chunk))
    yield* items.splice(0)
    if (sinceItem > maxItemBytes + chunk.byteLength) {
      throw new DocumentError(`An item of the file is larger than ${maxItemBytes} bytes.`)
    }
  }
  if (!parser.isEnded) throw new DocumentError('The file is not valid JSON: it ends too early.')
  yield* items.splice(0)
}

function textOf(utf8: TextDecoder, chunk: Uint8Array): string {
  try {
    return utf8.decode(chunk, { stream: true })
  } catch {
    throw new DocumentError('The file is not in UTF-8.')
  }
}
