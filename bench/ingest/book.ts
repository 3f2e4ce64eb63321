import type { PdfPart } from './pdf.ts'
import { paragraphs } from './prose.ts'

/** Chapters of real prose, for PDFs of any length. */
export function* book(count: number): Generator<PdfPart> {
  for (const [n, text] of paragraphs(count).entries()) {
    if (n % 15 === 0) yield { kind: 'heading', text: `Chapter ${n / 15 + 1}` }
    // The standard fonts of PDF have the letters of Western Europe.
    yield { kind: n % 9 === 0 ? 'item' : 'paragraph', text: text.replace(/[^\u0020-\u007e\u00a0-\u00ff]/g, '') }
  }
}
