import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Brings a folder and all in it to the disk. It works concurrently, because a journaling file system writes many
 * waiting files at once.
 */
export async function syncTree(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const folders = entries.filter(entry => entry.isDirectory()).map(entry => join(entry.parentPath, entry.name))
  const workers = Array.from({ length: 16 }, async () => {
    for (let path = files.pop(); path !== undefined; path = files.pop()) await syncPath(path, 'r+')
  })
  await Promise.all(workers)
  for (const path of [root, ...folders]) await syncFolder(path)
}

/** Brings the names in a folder to the disk, after a file in it was made or renamed. */
export async function syncFolder(path: string): Promise<void> {
  // Windows opens no folders; there the file system itself keeps their entries safe.
  if (process.platform !== 'win32') await syncPath(path, 'r')
}

async function syncPath(path: string, flags: 'r' | 'r+'): Promise<void> {
  const file = await open(path, flags)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
