import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import JSZip from 'jszip'
import { ReadingError } from '../../document/document.ts'

/** More parts than any Word file has. */
const ENTRIES_MAX = 5000
/** Pictures, fonts and embedded objects say nothing that could be read; documents that stand in its text do. */
const READ = /\.(xml|rels|html?|xhtml|mht|mhtml|rtf|txt|md|docx)$/i

/**
 * Unpacks what a Word document is read from. An archive may say that an entry unpacks to little, so its bytes are counted as they come, and the
 * rest is never unpacked.
 *
 * @throws ReadingError LIMIT_EXCEEDED beyond `bytesMax`, CORRUPT_FILE where it is no whole archive
 */
export async function unpackDocx(bytes: Uint8Array, bytesMax: number): Promise<Record<string, Uint8Array>> {
  const parts: Record<string, Uint8Array> = {}
  let left = bytesMax
  try {
    const entries = Object.values((await JSZip.loadAsync(bytes)).files)
    if (entries.length > ENTRIES_MAX) throw tooMuch()
    for (const entry of entries) {
      if (entry.dir || !READ.test(entry.name)) continue
      const part = await unpack(entry, left)
      left -= part.byteLength
      parts[entry.name] = part
    }
    return parts
  } catch (error) {
    if (error instanceof ReadingError) throw error
    throw new ReadingError('CORRUPT_FILE', 'The Word document is damaged: its archive could not be opened.', {
      cause: error,
    })
  }
}

async function unpack(entry: JSZip.JSZipObject, bytesMax: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  // The stream of an older `readable-stream` cannot be iterated over.
  for await (const piece of new Readable().wrap(entry.nodeStream())) {
    length += piece.byteLength
    if (length > bytesMax) throw tooMuch()
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function tooMuch(): ReadingError {
  return new ReadingError('LIMIT_EXCEEDED', 'The Word document holds far more than a document may when it is unpacked.')
}
