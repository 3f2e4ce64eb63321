/**
 * Makes one executable of the service: Bun, this code, the packages that it needs, the database, the model, the console and the migrations.
 * It prints the path.
 *
 *   bun run executable [FILE] [x64|arm64]      for Linux with glibc
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, zstdCompressSync } from 'node:zlib'
import { BUN, stageCode } from '../stage.mjs'

const [, , file = 'mneme', arch = process.arch] = process.argv
/** What only a bundler or a compiler reads, and Bun, which the executable is. */
const PACKAGES_LEFT_OUT = /^(\.bin|bun|esbuild|typescript|lucide-preact|@(oven|esbuild|typescript|types|napi-rs))$/
/** Of pdfjs-dist only its character maps are read, and of the model's runtime what this machine runs. */
const FILES_LEFT_OUT = new RegExp(
  `\\.d\\.[cm]?ts$|\\.map$|\\.md$|/\\.bin/|pdfjs-dist/(?!package\\.json|LICENSE|cmaps)|napi-v6/(?!linux/${arch}/)`,
)
/** A part is compressed by itself, so that unpacking it takes little memory. */
const PART_BYTES = 16 * 2 ** 20

const staged = mkdtempSync(join(tmpdir(), 'mneme-executable-'))
try {
  const code = join(staged, 'code')
  stageCode(code)
  const flags = ['--production', '--frozen-lockfile', '--ignore-scripts', '--no-summary', `--cpu=${arch}`, '--os=linux']
  execFileSync(BUN, ['install', ...flags], { cwd: code, stdio: ['ignore', 2, 2] })
  const id = archive(code, join(staged, 'code.zst'))
  // The path of what is embedded is one beside the program that embeds it.
  for (const name of ['main.mjs', '../npm/commands.mjs']) {
    writeFileSync(join(staged, name.replace(/.*\//, '')), readFileSync(fileURLToPath(new URL(name, import.meta.url))))
  }
  const outfile = resolve(file)
  const compile = [
    'build',
    '--compile',
    `--target=bun-linux-${arch}`,
    '--compile-autoload-package-json',
    '--compile-exec-argv=--no-install',
  ]
  const named = ['--define', `ARCHIVE_ID=${JSON.stringify(id)}`, '--outfile', outfile]
  execFileSync(BUN, [...compile, ...named, join(staged, 'main.mjs')], { cwd: staged, stdio: ['ignore', 2, 2] })
  console.log(outfile)
} finally {
  rmSync(staged, { recursive: true })
}

/** Writes the length of an index, the index as JSON, and parts. @returns what tells this archive from others */
function archive(folder, path) {
  const { files, links } = listed(folder)
  const parts = []
  const compressed = []
  for (const group of grouped(folder, files)) {
    const bytes = zstdCompressSync(Buffer.concat(group.map(({ bytes }) => bytes)), {
      params: { [constants.ZSTD_c_compressionLevel]: 12 },
    })
    parts.push({ bytes: bytes.length, files: group.map(({ path, bytes }) => [path, bytes.length]) })
    compressed.push(bytes)
  }
  const index = Buffer.from(JSON.stringify({ links, parts }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(index.length)
  const hash = createHash('sha256')
  const out = openSync(path, 'w')
  for (const piece of [length, index, ...compressed]) {
    hash.update(piece)
    writeSync(out, piece)
  }
  closeSync(out)
  return hash.digest('hex').slice(0, 16)
}

/** Walks a folder without following links, which the packages of this repository are. */
function listed(folder, below = '', files = [], links = []) {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = join(below, entry.name)
    if (below === 'node_modules' && PACKAGES_LEFT_OUT.test(entry.name)) continue
    if (entry.isSymbolicLink()) links.push([path, readlinkSync(join(folder, path))])
    else if (entry.isDirectory()) listed(folder, path, files, links)
    else if (!path.startsWith('node_modules/') || !FILES_LEFT_OUT.test(path)) files.push(path)
  }
  return { files, links }
}

function* grouped(folder, files) {
  let group = []
  let size = 0
  for (const path of files) {
    const bytes = readFileSync(join(folder, path))
    group.push({ path, bytes })
    size += bytes.length
    if (size < PART_BYTES) continue
    yield group
    group = []
    size = 0
  }
  if (group.length > 0) yield group
}
