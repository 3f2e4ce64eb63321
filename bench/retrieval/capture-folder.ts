import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { type Captured, capture } from './capture.ts'
import { loadConversations, readConversations } from './corpus.ts'
import { emptyStore, openInProcess } from './in-process.ts'

/** Stores a folder in a database of its own and captures all questions, or reads what an earlier run kept of it. */
export async function captureFolder(
  folder: string,
  nativeServer: string | undefined,
  keptIn: string | undefined,
): Promise<readonly Captured[]> {
  const file = keptIn && join(keptIn, `${basename(folder)}.captured`)
  const kept = file ? await readFile(file).catch(() => undefined) : undefined
  if (kept) return deserialize(kept)
  const conversations = await readConversations(folder)
  const store = await emptyStore(nativeServer)
  const run = 'captured'
  const { client, stop } = await openInProcess(store)
  await loadConversations(client, conversations, run)
  await stop()
  const captured = await capture(store, conversations, { run, mode: 'hybrid', expand: false })
  if (keptIn && file) {
    await mkdir(keptIn, { recursive: true })
    await writeFile(file, serialize(captured))
  }
  return captured
}
