import type { Block } from '../document/document.ts'

/** An address that holds what it leads to (RFC 2397). A short one is a sign or a word. */
const DATA_URL = /\bdata:[a-z]+\/[\w.+-]+(?:;[\w=."-]+)*,[^\s"'`<>)\]]{60,}/gi
/** Lines of Base64 or of hexadecimal digits, as e-mails, certificates and programs break them, or one that is as long as several. */
const ENCODED = /(?:[A-Za-z0-9+/]{60,}\s+)*[A-Za-z0-9+/]{60,}(?:\s+[A-Za-z0-9+/]{1,76}(?![^\s=]))?={0,2}/g
const ENCODED_CHARS_MIN = 200
/** Base64 has a slash among 64 characters; addresses of files have far more. */
const SLASH_SHARE_MAX = 0.08
const MARK = '[binary data]'

/** Takes what is no text out of texts, as pictures in Base64, whose fragments would only be in the way of others; and counts it. */
export class BinaryData {
  #count = 0

  /** @returns '' where there is nothing else in the text */
  without(text: string): string {
    if (text.length < 60) return text
    const before = this.#count
    const replace = (isBinary: boolean, found: string) => {
      if (!isBinary) return found
      this.#count++
      return MARK
    }
    const rest = text
      .replace(DATA_URL, found => replace(true, found))
      .replace(ENCODED, found => replace(isEncoded(found), found))
    if (this.#count === before) return text
    return rest.replaceAll(MARK, '').replace(/[\s\p{P}]+/gu, '') === '' ? '' : rest
  }

  *blocksWithout(blocks: Iterable<Block>): Generator<Block> {
    for (const block of blocks) {
      const rest = this.#ofBlock(block)
      if (rest) yield rest
    }
  }

  /** A sentence on what was left out. */
  get warning(): string | undefined {
    if (this.#count === 0) return undefined
    return this.#count === 1
      ? 'A piece of binary data in its text, as a picture, was left out.'
      : `${this.#count} pieces of binary data in its text, as pictures, were left out.`
  }

  #ofBlock(block: Block): Block | undefined {
    if (block.kind === 'row') {
      const cells = block.cells.map(cell => this.without(cell))
      return cells.some(cell => cell) ? { ...block, cells } : undefined
    }
    if (block.kind === 'record') {
      const fields = block.fields.map(([name, value]) => [name, this.without(value)] as const)
      const told = fields.filter(([, value]) => value)
      return told.length > 0 ? { ...block, fields: told } : undefined
    }
    const text = this.without(block.text)
    return text ? { ...block, text } : undefined
  }
}

/** Words have no digits within, numbers no letters, and Base64 has all of them wherever one looks. */
function isEncoded(found: string): boolean {
  const characters = found.replace(/\s+/g, '')
  if (characters.length < ENCODED_CHARS_MIN) return false
  if (/^[\da-f]+$/i.test(characters)) return /\d/.test(characters) && /[a-f]/i.test(characters)
  const slashes = characters.match(/\//g)?.length ?? 0
  const hasAll = /[A-Z]/.test(characters) && /[a-z]/.test(characters) && /\d/.test(characters)
  return hasAll && slashes <= characters.length * SLASH_SHARE_MAX
}
