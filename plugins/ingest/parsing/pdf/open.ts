import { Buffer } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { getDocumentProxy } from 'unpdf'
import { ReadingError } from '../../document/document.ts'

export type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>
export type Page = Awaited<ReturnType<Pdf['getPage']>>

const CMAPS = join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'cmaps')

/** Opens a PDF, whose bytes are gone with that. Pictures are never decoded: each is larger than what is allowed. */
export async function openPdf(bytes: Uint8Array, { stopAtErrors = false } = {}): Promise<Pdf> {
  // Some writers put bytes before the head; readers look for it within the first 1,024 (PDF 1.7, Annex H.3).
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(1024, bytes.byteLength)).includes('%PDF-')) {
    throw new ReadingError('FORMAT_MISMATCH', 'The file is not a PDF.')
  }
  try {
    return await getDocumentProxy(bytes, {
      verbosity: 0,
      stopAtErrors,
      maxImageSize: 0,
      disableFontFace: true,
      enableXfa: true,
      useWorkerFetch: false,
      BinaryDataFactory: CMapFiles,
    })
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new ReadingError(
        'PASSWORD_PROTECTED',
        'The PDF is protected by a password. Remove the password and send it again.',
      )
    }
    throw new ReadingError('CORRUPT_FILE', 'The PDF is damaged and could not be opened.', { cause: error })
  }
}

/** A file that pdf.js asks for, by the option that would say where it is. */
interface WantedFile {
  readonly kind: string
  readonly filename: string
}

/**
 * Hands pdf.js the CMaps, by which PDFs in Chinese, Japanese and Korean name their letters without holding the tables. `unpdf` bundles pdf.js
 * without them, so they are those of `pdfjs-dist` in the version that it bundles.
 */
class CMapFiles {
  async fetch({ kind, filename }: WantedFile): Promise<Uint8Array> {
    if (kind !== 'cMapUrl') throw new Error(`${filename} is no CMap, and nothing else is needed to read a text.`)
    return new Uint8Array(await readFile(join(CMAPS, filename)))
  }
}
