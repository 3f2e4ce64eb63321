import { Buffer } from 'node:buffer'
import { JSONParser } from '@streamparser/json'

const SPACE = /\s*/y
const DOCTYPE = /<!doctype\s+html[\s>]/iy
const ELEMENT = /<([a-z][a-z0-9:-]*)[\s/>]/iy
const FEEDS: readonly (string | undefined)[] = ['rss', 'feed', 'rdf:rdf']

/** A format may be told by how a file begins. */
export interface Opening {
  /** Its first bytes, each as a character. */
  readonly text: string
  /** The same without a byte order mark and space before it. */
  readonly start: string
}

export function openingOf(head: Uint8Array): Opening {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')
  return { text, start: text.replace(/^(?:\u00ef\u00bb\u00bf)?\s+/, '').replace(/^\u00ef\u00bb\u00bf/, '') }
}

/** The beginning of an HTML document, as far as it says what it is. */
export interface HtmlOpening {
  readonly hasDoctype: boolean
  /** The name of the first element, in lower case. */
  readonly element: string | undefined
}

/** Passes over comments and declarations, each of them once: a file may begin with any number of them. */
export function htmlOpening(text: string): HtmlOpening {
  let hasDoctype = false
  for (let at = 0; ; ) {
    at += matchAt(SPACE, text, at)?.[0].length ?? 0
    hasDoctype ||= matchAt(DOCTYPE, text, at) !== undefined
    const isComment = text.startsWith('<!--', at)
    if (!isComment && !text.startsWith('<!', at) && !text.startsWith('<?', at)) {
      return { hasDoctype, element: matchAt(ELEMENT, text, at)?.[1]?.toLowerCase() }
    }
    const close = isComment ? '-->' : '>'
    const end = text.indexOf(close, at + 2)
    if (end === -1) return { hasDoctype, element: undefined }
    at = end + close.length
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

/** Tells whether a text begins as a feed does (RSS, Atom). */
export function opensAsFeed(text: string): boolean {
  return FEEDS.includes(htmlOpening(text).element)
}

/** Tells whether a text declares itself to be XML, of whatever kind. */
export function opensAsXml(text: string): boolean {
  return /^\s*<\?xml\s/.test(text)
}

/** Tells whether a text may be the beginning of a JSON document or of lines of JSON, which are objects or lists. */
export function opensAsJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  const parser = new JSONParser({ paths: ['$'], keepStack: false, separator: '' })
  let isJson = true
  parser.onValue = () => undefined
  parser.onError = () => {
    isJson = false
  }
  parser.write(text)
  return isJson
}

/** The first line of a header. */
const FIELD = /^[a-z][a-z-]{1,40}: ?\S/i
const ENCODED_BODY = /^content-transfer-encoding:\s*(?:base64|quoted-printable)/im

/** Fields of which an e-mail has several; a text that somebody wrote may begin with one or two. */
const EMAIL_FIELDS = /^(?:received|return-path|message-id|mime-version|from|to|subject|date|delivered-to): ?\S/gim

/** Tells whether a text begins with the head of an e-mail. */
export function opensAsEmail(text: string): boolean {
  if (!FIELD.test(text)) return false
  const head = text.split(/\r?\n\r?\n/, 1)[0] ?? ''
  const names = new Set((head.match(EMAIL_FIELDS) ?? []).map(field => field.split(':')[0]?.toLowerCase()))
  return (
    names.has('from') && names.size >= 3 && ['received', 'message-id', 'mime-version'].some(name => names.has(name))
  )
}

/** Names what is written in the signs of a text, but is none to read before it is decoded. */
export function encodedKind(text: string): string | undefined {
  if (text.startsWith('{\\rtf')) return 'a rich text file (RTF)'
  return FIELD.test(text) && ENCODED_BODY.test(text) ? 'an e-mail whose text is encoded' : undefined
}
