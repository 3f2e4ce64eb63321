import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { startEmbedded } from 'served-pglite'
import { copyBlankDatabase } from '../kit/blank-database.ts'

/** A database of its own for one run of the conformance suite. */
export interface Target {
  url: string
  stop(): Promise<void>
}

/** The embedded database, on a folder that is deleted afterwards. */
export async function embeddedTarget(): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-embedded-'))
  await copyBlankDatabase(folder)
  const database = await startEmbedded({ folder })
  return {
    url: database.url,
    stop: async () => {
      await database.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A new database on the server at `superuserUrl`, dropped afterwards. */
export async function nativeTarget(superuserUrl: string): Promise<Target> {
  const name = `conformance_${process.pid}_${Date.now()}`
  const admin = postgres(superuserUrl, { max: 1, onnotice: () => {} })
  await admin.unsafe(`create database ${name}`)
  const url = new URL(superuserUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    stop: async () => {
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}
