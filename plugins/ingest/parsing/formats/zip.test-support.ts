import { Buffer } from 'node:buffer'

const CLAIMED_BYTES = 1000
/** The headers of an entry, each with the place of the size that it unpacks to (APPNOTE 4.3.7 and 4.3.12). */
const HEADERS = [
  ['PK\u0003\u0004', 22],
  ['PK\u0001\u0002', 24],
] as const

/** An archive that says of each of its entries that it unpacks to a thousand bytes. */
export function lyingZip(archive: Uint8Array): Uint8Array {
  const bytes = Buffer.from(archive)
  for (const [signature, sizeAt] of HEADERS) {
    for (let at = bytes.indexOf(signature, 0, 'latin1'); at !== -1; at = bytes.indexOf(signature, at + 4, 'latin1'))
      bytes.writeUInt32LE(CLAIMED_BYTES, at + sizeAt)
  }
  return new Uint8Array(bytes)
}
