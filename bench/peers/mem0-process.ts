import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { onEnd } from '../../test/support/closing.ts'
import { createNative } from '../../test/support/database.ts'

export const MEM0_VERSION = '3.3.1'

/** With what it needs for Postgres and history, and what it uses, when it is there, for stems and entities. */
const PACKAGES = [`mem0ai@${MEM0_VERSION}`, 'pg@8.23.1', 'better-sqlite3@12.6.2', 'compromise@14.14.4', 'natural@8.0.1']

/** Texts that are being added at the same time. */
const ADDING_IN_FLIGHT = 8

export interface Mem0 {
  /** @returns milliseconds until all of them were stored and can be found */
  add(userId: string, texts: readonly { id: string; text: string }[]): Promise<number>
  /** @returns the ids of the texts, best first */
  search(userId: string, query: string, topK: number): Promise<{ ids: (string | null)[]; tookMs: number }>
}

/** mem0 in its own folder and process, with an empty database on the given server. */
export async function startMem0(nativeServer: string, embeddingsUrl: string, dimensions: number): Promise<Mem0> {
  const folder = await installed()
  const databaseUrl = await createNative(nativeServer)
  const worker = fileURLToPath(new URL('./mem0-worker.mjs', import.meta.url))
  const child = spawn('node', [worker, folder, embeddingsUrl, databaseUrl, String(dimensions)], {
    env: { PATH: process.env.PATH ?? '', HOME: folder, MEM0_DIR: folder, MEM0_TELEMETRY: 'false' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  onEnd(async () => {
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.stdin.end()
    if (child.exitCode === null) await ended
  })
  /** One at a time: an answer belongs to the request before it. */
  const request = async <T extends TSchema>(schema: T, operation: object): Promise<Static<T>> => {
    child.stdin.write(`${JSON.stringify(operation)}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error('mem0 ended')
    const answer: unknown = JSON.parse(value)
    if (Value.Check(schema, answer)) return Value.Decode(schema, answer)
    throw new Error(`mem0 answered ${value}`)
  }
  return {
    async add(userId, texts) {
      const { tookMs } = await request(added, { operation: 'add', userId, texts, inFlight: ADDING_IN_FLIGHT })
      return tookMs
    },
    async search(userId, query, topK) {
      const { result, tookMs } = await request(found, { operation: 'search', userId, query, topK })
      return { ids: result, tookMs }
    },
  }
}

const added = Type.Object({ tookMs: Type.Number() })
const found = Type.Object({
  result: Type.Array(Type.Union([Type.String(), Type.Null()])),
  tookMs: Type.Number(),
})

/** Installs mem0 once into a folder outside of this project, and takes it from there the next time. */
async function installed(): Promise<string> {
  const folder = join(tmpdir(), `mneme-bench-mem0-${MEM0_VERSION}`)
  const marker = join(folder, 'installed')
  const known = await readFile(marker, 'utf8').catch(() => '')
  if (known === PACKAGES.join(' ')) return folder
  console.log(`Installing mem0ai ${MEM0_VERSION} into ${folder}; this takes some minutes.`)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"private": true}')
  // Its twenty optional stores and models are peers, which would all be installed.
  const options = ['--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = spawn('npm', ['install', ...options, ...PACKAGES], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const code = await new Promise((resolve, reject) => npm.once('exit', resolve).once('error', reject))
  if (code !== 0) throw new Error(`npm install ended with ${String(code)}`)
  await writeFile(marker, PACKAGES.join(' '))
  return folder
}
