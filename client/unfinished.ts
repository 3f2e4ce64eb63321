import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'

/** A run notes this beside the file that it downloads, so that a run after it goes on with the same export. */
export interface Unfinished {
  /** The service, and what was asked of it. */
  readonly request: string
  /** Sent again with the request, it finds the export that was made of it. */
  readonly key: string
  readonly begunAt: string
  /** The SHA-256 of the file that the part is of; null before the export is written. */
  readonly sha256: string | null
}

/** As long as the service knows the key again. What is older would be a surprise anyway. */
const KEPT_MS = 24 * 3600 * 1000

const noteOf = (out: string) => `${out}.part.json`
export const partOf = (out: string) => `${out}.part`

/** Begins anew: what lies there of another export goes. */
export async function begin(out: string, request: string): Promise<Unfinished> {
  const begun = { request, key: randomUUID(), begunAt: new Date().toISOString(), sha256: null }
  await rm(partOf(out), { force: true })
  await note(out, begun)
  return begun
}

/** Finds what an earlier run with the same request left; undefined when there is nothing, or it is older than a day. */
export async function findUnfinished(out: string, request: string): Promise<Unfinished | undefined> {
  const text = await readFile(noteOf(out), 'utf8').catch(() => '')
  const found = parsed(text)
  if (found?.request !== request) return undefined
  return Date.now() - Date.parse(found.begunAt) < KEPT_MS ? found : undefined
}

/** Tells whether an export of that name is there, whole or in part. */
export function isTaken(out: string): boolean {
  return existsSync(out) || existsSync(noteOf(out))
}

/** Notes which file the part is of, and empties a part of another one. */
export async function notePart(out: string, unfinished: Unfinished, sha256: string): Promise<Unfinished> {
  if (unfinished.sha256 === sha256) return unfinished
  await emptyPart(out)
  const noted = { ...unfinished, sha256 }
  await note(out, noted)
  return noted
}

export async function emptyPart(out: string): Promise<void> {
  if ((await partSize(out)) > 0) await truncate(partOf(out))
}

export async function partSize(out: string): Promise<number> {
  return (await stat(partOf(out)).catch(() => undefined))?.size ?? 0
}

/** The part is whole. The note goes first: a run after a crash here makes an export of its own, not an old one again. */
export async function finish(out: string): Promise<void> {
  await rm(noteOf(out), { force: true })
  await rename(partOf(out), out)
}

export async function discard(out: string): Promise<void> {
  await rm(noteOf(out), { force: true })
  await rm(partOf(out), { force: true })
}

/** Replaces the note in one step, so that none is ever half written. */
async function note(out: string, unfinished: Unfinished): Promise<void> {
  await writeFile(`${noteOf(out)}.new`, JSON.stringify(unfinished))
  await rename(`${noteOf(out)}.new`, noteOf(out))
}

function parsed(text: string): Unfinished | undefined {
  try {
    const { request, key, begunAt, sha256 } = Object(JSON.parse(text))
    const isNote = [request, key, begunAt].every(field => typeof field === 'string')
    return isNote ? { request, key, begunAt, sha256: typeof sha256 === 'string' ? sha256 : null } : undefined
  } catch {
    return undefined
  }
}
