import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const FOLDER = join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'cmaps')

/** A file that pdf.js asks for, by the option that would say where it is. */
interface WantedFile {
  readonly kind: string
  readonly filename: string
}

/**
 * Hands pdf.js the CMaps, by which PDFs in Chinese, Japanese and Korean name their letters without holding the tables. `unpdf` bundles pdf.js
 * without them, so they are those of `pdfjs-dist` in the version that it bundles.
 */
export class CMapFiles {
  async fetch({ kind, filename }: WantedFile): Promise<Uint8Array> {
    if (kind !== 'cMapUrl') throw new Error(`${filename} is no CMap, and nothing else is needed to read a text.`)
    return new Uint8Array(await readFile(join(FOLDER, filename)))
  }
}
