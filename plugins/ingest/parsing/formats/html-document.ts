import { parseHTML } from 'linkedom'

/** Elements that belong to the head where nothing that is shown comes before them. */
const OF_HEAD = new Set('BASE LINK META NOSCRIPT SCRIPT STYLE TEMPLATE TITLE'.split(' '))
const ELEMENT = 1
const TEXT = 3

/**
 * Parses HTML into a document with one head and one body. The tags of html, head and body may be left out, and browsers
 * show what stands behind a body, or in a second one; linkedom builds only what is written and would lose all that.
 */
export function parseDocument(html: string): Document {
  const { document } = parseHTML(html)
  const parts = topLevel(document)
  const firstBody = parts.find(part => nameOf(part) === 'BODY') as Element | undefined
  const body = firstBody ?? document.createElement('body')
  const head = document.createElement('head')
  const before: Node[] = []
  let isShown = false
  let isBefore = firstBody !== undefined
  for (const part of parts) {
    isShown ||= !isOfHead(part)
    if (part === body) isBefore = false
    else if (!isShown) head.appendChild(part)
    else if (isBefore) before.push(part)
    else for (const node of nameOf(part) === 'BODY' ? [...part.childNodes] : [part]) body.appendChild(node)
  }
  const first = body.firstChild
  for (const part of before) body.insertBefore(part, first)
  const root = document.createElement('html')
  root.append(head, body)
  for (const shell of [...document.children]) shell.remove()
  document.appendChild(root)
  return document
}

/** The elements and texts of a document, of its html elements and of their heads, in their order. */
function topLevel(document: Document): Node[] {
  return [...document.childNodes]
    .flatMap(node => (nameOf(node) === 'HTML' ? [...node.childNodes] : [node]))
    .flatMap(node => (nameOf(node) === 'HEAD' ? [...node.childNodes] : [node]))
    .filter(node => nameOf(node) || node.nodeType === TEXT)
}

function isOfHead(node: Node): boolean {
  const name = nameOf(node)
  return name ? OF_HEAD.has(name) : !node.textContent?.trim()
}

/** @returns the name of an element in capitals; undefined for what is none */
function nameOf(node: Node): string | undefined {
  return node.nodeType === ELEMENT ? (node as Element).tagName.toUpperCase() : undefined
}
