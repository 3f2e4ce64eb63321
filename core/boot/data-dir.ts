import { access, constants, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from './explain.ts'

/** Makes the folder of the embedded database and of local secrets, or throws a StartError that says what is in the way. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true })
    await requireWritable(dataDir)
    // An earlier start made the folder, maybe as another user.
    await requireWritable(join(dataDir, 'postgres')).catch(error => {
      if (codeOf(error) !== 'ENOENT') throw error
    })
  } catch (error) {
    throw new StartError(sentenceFor(codeOf(error), dataDir), { cause: error })
  }
}

async function requireWritable(folder: string): Promise<void> {
  if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error(`${folder} is a file`), { code: 'ENOTDIR' })
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
}

function sentenceFor(code: string, dataDir: string): string {
  if (code === 'EEXIST' || code === 'ENOTDIR')
    return `DATA_DIR (${dataDir}) is a file or lies in one. Set it to a folder.`
  if (code === 'EACCES' || code === 'EPERM')
    return `DATA_DIR (${dataDir}) may not be written by this user. Give the folder to it, or set DATA_DIR to another one.`
  if (code === 'EROFS') return `DATA_DIR (${dataDir}) lies on a read-only disk. Set it to another folder.`
  if (code === 'ENOSPC')
    return `the disk that DATA_DIR (${dataDir}) lies on is full. Make room, or set it to another place.`
  return `DATA_DIR (${dataDir}) cannot be made (${code}). Set it to another folder.`
}

function codeOf(error: unknown): string {
  const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' ? code : 'unknown error'
}
