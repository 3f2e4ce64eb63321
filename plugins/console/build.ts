import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'esbuild'

const HERE = fileURLToPath(new URL('./', import.meta.url))
const SOURCES = join(HERE, 'app')
/** Each page has a script of its own. */
const PAGES = [
  { html: 'index.html', entry: 'main.tsx' },
  { html: 'connect.html', entry: 'connect.tsx' },
]
/** A release carries it, and lacks the bundler. */
const RELEASED = join(HERE, 'built')
const KEPT = 'console-'
/** The best would take most of the time of a build, for 5 % less. */
const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
/** A process that began before a change still serves what it found. */
const BUILDS_MAX = 4

/** Gives the folder with the built console, which is built anew where its sources are others than those of a build before. */
export async function builtConsole(): Promise<URL> {
  if (existsSync(RELEASED)) return folderAt(RELEASED)
  const name = `${KEPT}${await hashOfSources()}`
  const caches = fileURLToPath(new URL('../../.cache/mneme/', import.meta.resolve('esbuild')))
  const kept = join(caches, name)
  if (existsSync(kept)) return folderAt(kept)
  try {
    await mkdir(caches, { recursive: true })
    await buildInto(kept)
    await removeOld(caches)
    return folderAt(kept)
  } catch (error) {
    return buildElsewhere(name, error)
  }
}

/** Where the folder for builds cannot be written it is built for this process alone, in memory where no disk takes it. */
async function buildElsewhere(name: string, fault: unknown): Promise<URL> {
  if (!isUnwritable(fault)) throw fault
  for (const folder of [tmpdir(), '/dev/shm']) {
    try {
      const own = join(await mkdtemp(join(folder, 'mneme-')), name)
      await buildInto(own)
      return folderAt(own)
    } catch (error) {
      if (!isUnwritable(error)) throw error
    }
  }
  throw fault
}

/** Builds it into a folder, which is there as a whole or not at all. */
export async function buildInto(folder: string): Promise<void> {
  const unfinished = await mkdtemp(`${folder}-unfinished-`)
  try {
    await bundle(unfinished)
    await chmod(unfinished, 0o755)
    // The rename fails where another process was faster, which is as good.
    await rename(unfinished, folder).catch(error => {
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

async function bundle(folder: string): Promise<void> {
  const { build } = await import('esbuild')
  await build({ absWorkingDir: SOURCES, entryPoints: ['page.css'], outdir: folder, bundle: true, minify: true })
  // A page's script holds all that it needs at once: what two of them shared would be a request more.
  for (const page of PAGES) await bundlePage(folder, page)
  await writeFile(join(folder, 'icon.svg'), await readFile(join(SOURCES, 'icon.svg')))
  for (const name of await readdir(folder)) if (/-0x\w+\.(js|css)$/.test(name)) await compress(join(folder, name))
}

async function bundlePage(folder: string, { entry, html }: (typeof PAGES)[number]): Promise<void> {
  const { build } = await import('esbuild')
  const { metafile } = await build({
    absWorkingDir: SOURCES,
    entryPoints: [entry],
    outdir: folder,
    // The kernel tells such a name from one that is asked for each time: a letter follows a digit.
    entryNames: '[name]-0x[hash]',
    chunkNames: '[name]-0x[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    loader: { '.svg': 'dataurl' },
    metafile: true,
    logLevel: 'silent',
    plugins: [apart],
    assetNames: '[name]-0x[hash]',
  })
  const made = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry)
  if (!made?.[1].cssBundle) throw new Error(`${entry} was built without its script or its styles.`)
  const name = entry.replace(/\.\w+$/, '')
  const page = await readFile(join(SOURCES, html), 'utf8')
  const named = page.replace(`${name}.css`, lastOf(made[1].cssBundle)).replace(`${name}.js`, lastOf(made[0]))
  await writeFile(join(folder, html), named)
}

/** Gives `x.ts?url` as the name of a file of its own: for threads, which the policy of pages lets begin from a file alone, and for heavy libraries. */
const apart: Plugin = {
  name: 'apart',
  setup({ onResolve, onLoad, esbuild }) {
    onResolve({ filter: /\.ts\?url$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace('.ts?url', '.js')),
      namespace: 'apart',
    }))
    onLoad({ filter: /./, namespace: 'apart' }, async ({ path }) => {
      const entryPoints = [path.replace(/js$/, 'ts')]
      const options = { bundle: true, minify: true, write: false, format: 'esm', target: 'es2023' } as const
      const { outputFiles } = await esbuild.build({ entryPoints, ...options })
      return { contents: outputFiles[0]?.contents ?? '', loader: 'file' }
    })
  },
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  await writeFile(`${path}.br`, brotliCompressSync(bytes, QUICKLY))
  await writeFile(`${path}.gz`, gzipSync(bytes))
}

async function hashOfSources(): Promise<string> {
  const entries = await readdir(SOURCES, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const hash = createHash('sha256')
  for (const path of [...files.toSorted(), join(HERE, 'build.ts'), join(HERE, '../../package.json')])
    hash.update(path.slice(HERE.length)).update(await readFile(path))
  return hash.digest('hex').slice(0, 16)
}

async function removeOld(caches: string): Promise<void> {
  const names = (await readdir(caches)).filter(name => name.startsWith(KEPT))
  const builds = await Promise.all(names.map(async name => ({ name, at: (await stat(join(caches, name))).mtimeMs })))
  for (const { name } of builds.toSorted((a, b) => b.at - a.at).slice(BUILDS_MAX))
    await rm(join(caches, name), { recursive: true, force: true })
}

function isUnwritable(error: unknown): boolean {
  return (
    error instanceof Error &&
    ['EACCES', 'EROFS', 'EPERM', 'ENOSPC', 'EDQUOT', 'ENOENT'].includes(Reflect.get(error, 'code'))
  )
}

const folderAt = (path: string) => pathToFileURL(`${path}/`)
const lastOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

if (import.meta.main) {
  await mkdir(dirname(RELEASED), { recursive: true })
  await buildInto(process.argv[2] ?? RELEASED)
}
