import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clusterExists, startEmbedded } from 'served-pglite'

/**
 * Puts an embedded database without tables into `folder`, as a first start makes it. Making one takes seconds, so the first is kept for
 * later tests in `node_modules/.cache`, which belongs to whoever may write the code. Where that cannot be written, nothing is kept.
 */
export async function copyBlankDatabase(folder: string): Promise<void> {
  const kept = await keptFolder()
  if (clusterExists(kept)) return cp(kept, folder, { recursive: true })
  const database = await startEmbedded({ folder })
  await database.stop()
  await keep(folder, kept).catch(() => undefined)
}

async function keep(folder: string, kept: string): Promise<void> {
  await mkdir(dirname(kept), { recursive: true })
  const unfinished = await mkdtemp(`${kept}-unfinished-`)
  try {
    await cp(folder, unfinished, { recursive: true })
    // The rename fails when another process was faster, which is as good.
    await rename(unfinished, kept)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

async function keptFolder(): Promise<string> {
  // node_modules/@electric-sql/pglite/dist/index.js
  const entry = import.meta.resolve('@electric-sql/pglite')
  const manifest: unknown = JSON.parse(await readFile(new URL('../package.json', entry), 'utf8'))
  return join(
    fileURLToPath(new URL('../../../.cache/mneme/', entry)),
    `blank-pglite-${Reflect.get(Object(manifest), 'version')}`,
  )
}
