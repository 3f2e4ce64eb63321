import { Buffer } from 'node:buffer'
import { getDocumentProxy } from 'unpdf'
import { ReadingError } from '../../document/document.ts'
import { CMapFiles } from './cmaps.ts'

export type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>
export type Page = Awaited<ReturnType<Pdf['getPage']>>

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
