import { JSONParser } from '@streamparser/json'

/** Where the public exports of other services, and this one's own JSON form, keep their items. */
const LISTS = ['results', 'memories', 'messages', 'facts', 'edges', 'episodes', 'data', 'sections.*']
const PATHS = LISTS.map(name => `$.${name}.*`)

/** An item of a JSON document, with the name of the list that it stands in; empty for the document's own list. */
export interface DocumentItem {
  readonly list: string
  readonly value: unknown
}

/** A document that is no JSON, or whose items are too large. */
export class DocumentError extends Error {}

/**
 * The items of a JSON document: of the list that it is, or of the lists that it holds under a known name. No more than one item and
 * one piece of the file are held.
 * @throws DocumentError
 */
export async function* documentItems(
  bytes: AsyncIterable<Uint8Array>,
  maxItemBytes: number,
  root: '[' | '{',
): AsyncGenerator<DocumentItem> {
  const items: DocumentItem[] = []
  let sinceItem = 0
  const parser = new JSONParser({ paths: root === '[' ? ['$.*'] : PATHS, keepStack: false })
  parser.onValue = ({ value, stack }) => {
    const list = stack.at(-1)?.key
    items.push({ list: typeof list === 'string' ? list : '', value })
    sinceItem = 0
  }
  parser.onError = error => {
    throw new DocumentError(`The file is no valid JSON: ${error.message}`)
  }
  for await (const chunk of bytes) {
    sinceItem += chunk.byteLength
    parser.write(chunk)
    yield* items.splice(0)
    if (sinceItem > maxItemBytes + chunk.byteLength) {
      throw new DocumentError(`An item of the file is larger than ${maxItemBytes} bytes.`)
    }
  }
  if (!parser.isEnded) throw new DocumentError('The file is no valid JSON: it ends too early.')
  yield* items.splice(0)
}
