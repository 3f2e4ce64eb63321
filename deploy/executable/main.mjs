/**
 * Begins in the executable: unpacks the code that is embedded in it, once, and runs what the words of the command line mean, in this process.
 * It lies in `mneme` of the user's cache folder, or of the data folder where there is no other.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import archive from './code.zst' with { type: 'file' }
import { asksForUsage, entryOf, USAGE } from './commands.mjs'

const words = process.argv.slice(2)
if (asksForUsage(words)) console.log(USAGE)
else await run(unpacked(), ...entryOf(words))

async function run(code, entry, ...rest) {
  const program = join(code, entry)
  process.argv.splice(1, process.argv.length, program, ...rest)
  const { mneme } = await import(program)
  if (!mneme) return
  const { processTerminal } = await import(join(code, 'client/terminal.ts'))
  process.exitCode = await mneme(rest, { environment: process.env, terminal: processTerminal() })
}

/** Gives the folder with the code. It gets its name when it is whole, so that a start that is cut short leaves nothing in the way. */
function unpacked() {
  const { XDG_CACHE_HOME, HOME, DATA_DIR = '.data' } = process.env
  const caches = [XDG_CACHE_HOME, HOME && join(HOME, '.cache'), DATA_DIR].flatMap(folder =>
    folder ? [resolve(folder)] : [],
  )
  // The build puts the id in.
  const places = caches.map(folder => join(folder, 'mneme', ARCHIVE_ID))
  const there = places.find(existsSync)
  if (there) return there
  const faults = []
  for (const place of places) {
    const unfinished = `${place}.${process.pid}`
    try {
      unpack(unfinished)
      renameSync(unfinished, place)
      return place
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true })
      // Another start may have been quicker.
      if (existsSync(place)) return place
      faults.push(`${place}: ${error.message}`)
    }
  }
  console.error(
    `The program could not be unpacked; set XDG_CACHE_HOME to a folder that can be written.\n${faults.join('\n')}`,
  )
  process.exit(1)
}

function unpack(folder) {
  const bytes = readFileSync(archive)
  const start = 4 + bytes.readUInt32LE(0)
  const { parts, links } = JSON.parse(bytes.toString('utf8', 4, start))
  const made = new Set()
  const placeOf = path => {
    const place = join(folder, path)
    const parent = dirname(place)
    if (!made.has(parent)) mkdirSync(parent, { recursive: true, mode: 0o700 })
    made.add(parent)
    return place
  }
  let offset = start
  for (const { bytes: length, files } of parts) {
    const part = zstdDecompressSync(bytes.subarray(offset, offset + length))
    offset += length
    let read = 0
    for (const [path, size] of files) {
      writeFileSync(placeOf(path), part.subarray(read, read + size))
      read += size
    }
  }
  for (const [path, target] of links) symlinkSync(target, placeOf(path))
}
