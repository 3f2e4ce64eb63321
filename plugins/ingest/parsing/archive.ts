import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import JSZip from 'jszip'
import { MB } from 'mneme/plugin'
import { ReadingError } from '../document/document.ts'

/** More parts than a document has. */
const ENTRIES_MAX = 5000
/** The parts of a large document unpack to less than 70 times its size; what goes far beyond is made to fill a memory. */
const RATIO_MAX = 200
const RATIO_FROM_BYTES = 8 * MB
const COMPOUND_FILE = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)

/** The file as its reader takes it. */
export interface Archive {
  /** In a sentence: `a Word document`. */
  readonly kind: string
  /** Only entries with such names are unpacked: pictures, fonts and embedded files say nothing that could be read. */
  readonly reads: RegExp
  readonly bytesMax: number
}

/**
 * Unpacks what a document is read from. An archive that says itself that this is too much is refused before; one may say that an entry unpacks
 * to little, so its bytes are counted as they come too, and the rest is never unpacked.
 *
 * @throws ReadingError LIMIT_EXCEEDED beyond `bytesMax`, CORRUPT_FILE where it is no whole archive
 */
export async function unpackArchive(bytes: Uint8Array, archive: Archive): Promise<Record<string, Uint8Array>> {
  const parts: Record<string, Uint8Array> = {}
  let left = Math.min(archive.bytesMax, Math.max(RATIO_FROM_BYTES, bytes.byteLength * RATIO_MAX))
  try {
    const all = Object.values((await JSZip.loadAsync(bytes)).files)
    const entries = all.filter(({ dir, name }) => !dir && archive.reads.test(name))
    if (all.length > ENTRIES_MAX || declaredBytes(entries) > left) throw tooMuch(archive)
    for (const entry of entries) {
      const part = await unpack(entry, left, archive)
      left -= part.byteLength
      parts[entry.name] = part
    }
    return parts
  } catch (error) {
    if (error instanceof ReadingError) throw error
    throw new ReadingError(
      'CORRUPT_FILE',
      `The file is not ${archive.kind}, or damaged: its archive could not be opened.`,
      {
        cause: error,
      },
    )
  }
}

/**
 * Encrypted documents of Office are kept in a container that files of old versions have too; its directory names what is in it, in UTF-16.
 * @throws ReadingError for such a container, and for what is no archive
 */
export function requireArchive(bytes: Uint8Array, kind: string): void {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return
  if (!COMPOUND_FILE.every((byte, n) => bytes[n] === byte))
    throw new ReadingError('FORMAT_MISMATCH', `The file is not ${kind}.`)
  const directory = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (directory.includes(Buffer.from('EncryptedPackage', 'utf16le'))) {
    const message = 'The file is protected by a password. Remove the password and send it again.'
    throw new ReadingError('PASSWORD_PROTECTED', message)
  }
  const message = `The file is of an older version of Office, not ${kind}. Save it in the newer format and send it again.`
  throw new ReadingError('FORMAT_MISMATCH', message)
}

/** JSZip 3.10 keeps the sizes that an archive declares in a field without a type; without it nothing is lost but time. */
function declaredBytes(entries: readonly JSZip.JSZipObject[]): number {
  const sizes = entries.map(entry => Reflect.get(Object(Reflect.get(entry, '_data')), 'uncompressedSize'))
  return sizes.reduce((sum, size) => sum + (typeof size === 'number' ? size : 0), 0)
}

async function unpack(entry: JSZip.JSZipObject, bytesMax: number, archive: Archive): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  // The stream of an older `readable-stream` cannot be iterated over.
  for await (const piece of new Readable().wrap(entry.nodeStream())) {
    length += piece.byteLength
    if (length > bytesMax) throw tooMuch(archive)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function tooMuch({ kind }: Archive): ReadingError {
  return new ReadingError('LIMIT_EXCEEDED', `The file holds far more than ${kind} may when it is unpacked.`)
}
