import { cp, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { syncTree } from './sync-tree.ts'

/**
 * An empty database, kept after the first one was made so that later ones (a second data folder, the tests) are copied
 * in a fraction of a second instead of made in seconds.
 *
 * It lies in `node_modules/.cache`, which belongs to whoever may write the code, unlike the system's folder for
 * temporary files, where another user could plant a database of theirs. Where that cannot be written, nothing is kept.
 */
export async function copyTemplate(target: string): Promise<boolean> {
  const template = await templateFolder()
  if (!(await exists(template))) return false
  await cp(template, target, { recursive: true })
  return true
}

/** Keeps a copy of the complete and closed database in `source`, unless there is one. */
export async function keepTemplate(source: string): Promise<void> {
  try {
    const template = await templateFolder()
    await mkdir(dirname(template), { recursive: true })
    const unfinished = await mkdtemp(`${template}-unfinished-`)
    try {
      await cp(source, unfinished, { recursive: true })
      await syncTree(unfinished)
      // The rename fails when another process was faster, which is as good.
      await rename(unfinished, template)
    } finally {
      await rm(unfinished, { recursive: true, force: true })
    }
  } catch {
    // The template only saves time, so failing to make one is no error.
  }
}

async function templateFolder(): Promise<string> {
  // node_modules/@electric-sql/pglite/dist/index.js
  const entry = import.meta.resolve('@electric-sql/pglite')
  const manifest: unknown = JSON.parse(await readFile(new URL('../package.json', entry), 'utf8'))
  const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : '0'
  return join(fileURLToPath(new URL('../../../.cache/mneme/', entry)), `pglite-${version}`)
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
