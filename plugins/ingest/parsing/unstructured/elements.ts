import type { Block } from '../../document/document.ts'
import { parseHtmlPart } from '../formats/html.ts'

/** An element of a document as the Unstructured API returns it (https://docs.unstructured.io/concepts/document-elements). */
export interface UnstructuredElement {
  readonly type: string
  readonly text: string
  readonly metadata?: {
    readonly page_number?: number | null
    readonly category_depth?: number | null
    readonly text_as_html?: string | null
  }
}

/** These stand on every page. */
const FURNITURE = new Set(['Header', 'Footer', 'PageNumber', 'PageBreak'])

/** The blocks of a document that the Unstructured API took apart. */
export function* blocksOfElements(elements: readonly UnstructuredElement[]): Generator<Block> {
  for (const element of elements) {
    const { type, metadata } = element
    const text = element.text.trim()
    if (FURNITURE.has(type) || !text) continue
    const page = metadata?.page_number ?? undefined
    const at = page === undefined ? {} : { page }
    const depth = metadata?.category_depth ?? 0
    if (type === 'Title') yield { kind: 'heading', level: Math.min(6, depth + 1), text, ...at }
    else if (type === 'ListItem') yield { kind: 'item', depth, text, ...at }
    else if (type === 'CodeSnippet') yield { kind: 'code', text, ...at }
    else if (type === 'Table' && metadata?.text_as_html) {
      for (const block of parseHtmlPart(metadata.text_as_html)) yield { ...block, ...at }
    } else yield { kind: 'paragraph', text, ...at }
  }
}
