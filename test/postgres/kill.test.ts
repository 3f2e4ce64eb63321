import { expect, test } from 'bun:test'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const rounds = 6
const writer = fileURLToPath(new URL('./kill-writer.ts', import.meta.url))

interface Found {
  keys: string[]
  torn: number
  counted: number
}

test(`${rounds} times kill -9 under five writers: every acknowledged commit is there, and none is half there`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-kill-'))
  const acknowledged = new Set<string>()
  try {
    for (let round = 0; round <= rounds; round++) {
      const child = spawn(process.execPath, [writer, folder, String(round)], { stdio: ['ignore', 'pipe', 'inherit'] })
      try {
        // A varying number of commits, so that the kill falls at different moments.
        const found = await watch(child, acknowledged, round === rounds ? 0 : 20 + round * 15)
        const keys = new Set(found.keys)
        expect([...acknowledged].filter(key => !key.startsWith(`${round}-`) && !keys.has(key))).toEqual([])
        expect(found.torn).toBe(0)
        expect(found.counted).toBe(keys.size)
      } finally {
        child.kill('SIGKILL')
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      }
    }
    expect(acknowledged.size).toBeGreaterThanOrEqual(rounds * 20)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Reads what a writer reports until it has acknowledged `commits` commits, and kills it then. */
async function watch(child: ChildProcess, acknowledged: Set<string>, commits: number): Promise<Found> {
  if (child.stdout === null) throw new Error('no output')
  let found: Found | undefined
  let seen = 0
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('found ')) found = parseFound(line.slice('found '.length))
    if (line.startsWith('kept ')) {
      acknowledged.add(line.slice('kept '.length))
      seen++
    }
    // The lines already in the pipe are read to the end: they were acknowledged.
    if (found !== undefined && seen >= commits) child.kill('SIGKILL')
  }
  if (found === undefined) throw new Error('the database did not start again')
  return found
}

function parseFound(json: string): Found {
  const value: unknown = JSON.parse(json)
  if (typeof value !== 'object' || value === null) throw new Error('not a report')
  const { keys, torn, counted } = Object.fromEntries(Object.entries(value))
  if (!Array.isArray(keys) || typeof torn !== 'number' || typeof counted !== 'number') throw new Error('not a report')
  return { keys: keys.map(String), torn, counted }
}
