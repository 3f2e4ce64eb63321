import { Buffer } from 'node:buffer'
import { JSONParser } from '@streamparser/json'
import { letOthersIn } from 'mneme/plugin'
import { shortened } from './shortened.ts'

/** A place in a JSON document, behind an item of one of its lists. */
export interface DocumentPlace {
  /** The byte behind the item. */
  readonly end: number
  /** The name of the list that the item stands in; empty for the document's own list. */
  readonly list: string
}

/** A list that mem0 nests in an object: it is one item, behind which reading goes on in the object. */
export const ADDED_RELATIONS = 'relations.added_entities'

export interface DocumentItem extends DocumentPlace {
  readonly value: unknown
}

export interface DocumentOptions {
  /** The document's first character. */
  readonly root: '[' | '{'
  readonly maxItemBytes: number
  /** Reading goes on behind this item; from the document's start when left out. */
  readonly after?: DocumentPlace | undefined
}

/** A document that is no JSON, or whose items are too large. */
export class DocumentError extends Error {}

/** So much is parsed at one go: some thousand values where they are short. */
const PART_BYTES = 4 * 1024

/** The parser quotes a token whole, which may be a long text. */
const PARSER_CHARS_MAX = 300

const BYTE_ORDER_MARK = Buffer.from('\uFEFF')

/**
 * The items of a JSON document: of the list that it is, or of all lists that it holds. No more than one item and one piece of the
 * file are held.
 * @param open reads the file from a byte on
 * @throws DocumentError
 */
export async function* documentItems(
  open: (start: number) => AsyncIterable<Uint8Array>,
  { root, maxItemBytes, after }: DocumentOptions,
): AsyncGenerator<DocumentItem> {
  const reader = new ItemReader(root)
  if (after) reader.beginAfter(after)
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of open(after?.end ?? 0)) {
    checkUtf8(utf8, chunk)
    for (let at = 0; at < chunk.byteLength; at += PART_BYTES) {
      for (const item of reader.read(chunk.subarray(at, at + PART_BYTES))) {
        yield item
        await letOthersIn()
      }
      await letOthersIn()
      if (reader.sinceValue > maxItemBytes + PART_BYTES) {
        throw new DocumentError(`An item of the file is larger than ${maxItemBytes} bytes.`)
      }
    }
  }
  if (!reader.isAtEnd) throw new DocumentError('The file is not valid JSON: it ends too early.')
}

class ItemReader {
  /** Bytes that were read since the last value whose end was found. */
  sinceValue = 0
  readonly #parser: JSONParser
  readonly #root: '[' | '{'
  /** The byte of the file where the parser's bytes begin; undefined before the first of them. */
  #base: number | undefined
  #items: DocumentItem[] = []
  /** An item that is read, while the token behind it, which tells where it ends, is not. */
  #last: Omit<DocumentItem, 'end'> | undefined
  #isFirstLeftOut = false

  constructor(root: '[' | '{') {
    this.#root = root
    this.#parser = new JSONParser({ paths: [root === '[' ? '$.*' : '$.*.*'], keepStack: false })
    this.#parser.onValue = ({ value, stack, key }) => {
      const list = stack.at(-1)?.key
      this.sinceValue = 0
      if (typeof key === 'number') this.#last = { list: typeof list === 'string' ? list : '', value }
      else if (`${list}.${key}` === ADDED_RELATIONS) this.#last = { list: ADDED_RELATIONS, value }
    }
    this.#parser.onToken = ({ offset }) => {
      if (this.#last) this.#items.push({ ...this.#last, end: (this.#base ?? 0) + offset })
      this.#last = undefined
    }
    this.#parser.onError = error => {
      throw new DocumentError(`The file is no valid JSON: ${shortened(error.message, PARSER_CHARS_MAX)}`)
    }
  }

  get isAtEnd(): boolean {
    return this.#parser.isEnded
  }

  /** Puts the parser where it was behind an item, by a document whose lists before it hold nothing but one number. */
  beginAfter({ end, list }: DocumentPlace): void {
    const isNested = list === ADDED_RELATIONS
    const within = isNested ? '{"relations":{"":0' : `{${JSON.stringify(list)}:[0`
    const opening = this.#root === '[' ? '[0' : within
    this.#base = end - Buffer.byteLength(opening)
    this.#isFirstLeftOut = !isNested
    this.#parser.write(opening)
  }

  /** @returns the items whose end is in these bytes */
  read(chunk: Uint8Array): DocumentItem[] {
    // The parser does not count the mark.
    this.#base ??= BYTE_ORDER_MARK.equals(chunk.subarray(0, BYTE_ORDER_MARK.length)) ? BYTE_ORDER_MARK.length : 0
    this.sinceValue += chunk.byteLength
    this.#parser.write(chunk)
    const items = this.#items
    this.#items = []
    if (!this.#isFirstLeftOut || items.length === 0) return items
    this.#isFirstLeftOut = false
    return items.slice(1)
  }
}

/** A character may go on in the next chunk. */
function checkUtf8(utf8: TextDecoder, chunk: Uint8Array): void {
  try {
    utf8.decode(chunk, { stream: true })
  } catch {
    throw new DocumentError('The file is not in UTF-8.')
  }
}
