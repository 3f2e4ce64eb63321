import { DOMParser } from 'linkedom'
import type { Block } from '../../document/document.ts'
import { blocksIn } from './html-blocks.ts'
import { parseDocument } from './html-document.ts'

interface Feed {
  readonly title: string | undefined
  readonly blocks: Generator<Block>
}

/** Elements of an entry, the fullest first. Others with a prefix, as those of Media RSS, tell of something else than the entry. */
const CONTENT = ['content:encoded', 'content', 'description', 'summary', 'itunes:summary']
const DATE = ['published', 'pubDate', 'dc:date', 'updated']

/** Reads a feed (RSS, Atom): each entry under its title, with its date, its address and its content. */
export function parseFeed(xml: string, nestingMax: number): Feed {
  // The types of linkedom's own documents lack what no parser needs.
  const document = new DOMParser().parseFromString(xml.trimStart(), 'text/xml') as unknown as Document
  const title = titleOf(document.querySelector('title') ?? undefined)
  return { title: title || undefined, blocks: entriesOf(document, nestingMax) }
}

function* entriesOf(document: Document, nestingMax: number): Generator<Block> {
  for (const entry of document.querySelectorAll('item, entry')) {
    const heading = titleOf(partOf(entry, ['title']))
    if (heading) yield { kind: 'heading', level: 1, text: heading }
    const head = [textOf(partOf(entry, DATE)), addressOf(entry)].filter(Boolean).join('\n')
    if (head) yield { kind: 'paragraph', text: head }
    const content = partOf(entry, CONTENT)
    if (content) yield* blocksIn(parseDocument(htmlOf(content)).body, nestingMax)
  }
}

/** The element of the first of the names that an entry has with text in it. */
function partOf(entry: Element, names: readonly string[]): Element | undefined {
  const parts = [...entry.children].filter(part => part.textContent?.trim())
  const found = names.map(name => parts.find(part => part.tagName.replace(/^atom:/, '') === name))
  return found.find(part => part !== undefined)
}

/** Only Atom says that a title is HTML; in RSS it may be either. */
function titleOf(element: Element | undefined): string {
  return textOf(element?.getAttribute('type') === 'html' ? parseDocument(htmlOf(element)).body : element)
}

function textOf(element: Element | undefined): string {
  return element?.textContent?.replace(/\s+/g, ' ').trim() ?? ''
}

/** Atom has elements of XHTML in its content, or plain text, where it says so; all else is HTML that was written as text. */
function htmlOf(content: Element): string {
  const type = content.getAttribute('type')
  if (type === 'xhtml') return content.innerHTML
  const text = content.textContent ?? ''
  return type === 'text' ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : text
}

function addressOf(entry: Element): string {
  const links = [...entry.children].filter(part => part.tagName === 'link')
  const link = links.find(part => (part.getAttribute('rel') ?? 'alternate') === 'alternate') ?? links[0]
  return link?.getAttribute('href') ?? textOf(link)
}
