/**
 * Prints how large the product is, by room: lines of TypeScript, JavaScript and SQL without tests, conformance suites, fixtures and
 * generated data.
 *
 *   bun bench/size.ts
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const PRODUCT = ['core', 'packages', 'plugins', 'clients', 'integrations', 'client', 'server', 'workers', 'sql']
/** Rooms that stand in the table one by one, and not as a part of the folder above. */
const DIVIDED = new Set(['core', 'packages', 'plugins', 'clients', 'integrations'])
const LEFT_OUT = /\.(test|test-support|conformance)\.[jt]sx?$|\.d\.ts$|\/(fixtures|fake|node_modules|dist|generated)\//

interface Room {
  readonly name: string
  readonly sizes: readonly number[]
}

if (import.meta.main) {
  const rooms = measure()
  print([...rooms, { name: 'all', sizes: rooms.flatMap(({ sizes }) => sizes) }])
}

/** The rooms of the product with the lines of each of their files. */
export function measure(): Room[] {
  const byRoom = new Map<string, number[]>()
  for (const folder of PRODUCT) {
    for (const path of filesUnder(folder)) {
      const [top = '', room = ''] = path.split('/')
      const name = DIVIDED.has(top) ? (room.includes('.') ? `${top}/*` : `${top}/${room}`) : top
      byRoom.set(name, [...(byRoom.get(name) ?? []), linesOf(path)])
    }
  }
  return [...byRoom].map(([name, sizes]) => ({ name, sizes }))
}

function filesUnder(folder: string): string[] {
  try {
    return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name).slice(ROOT.length))
      .filter(path => /\.(ts|tsx|js|mjs|sql)$/.test(path) && !LEFT_OUT.test(`/${path}`))
  } catch (error) {
    // A room that is not there yet has no lines.
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return []
    throw error
  }
}

function linesOf(path: string): number {
  return readFileSync(join(ROOT, path), 'utf8').trimEnd().split('\n').length
}

function print(rooms: readonly Room[]): void {
  console.log('| room | lines | files | median file | longest |')
  console.log('|---|---:|---:|---:|---:|')
  for (const { name, sizes } of rooms) {
    const sorted = sizes.toSorted((a, b) => a - b)
    const total = sorted.reduce((sum, lines) => sum + lines, 0)
    console.log(`| ${name} | ${total} | ${sizes.length} | ${sorted[sizes.length >> 1]} | ${sorted.at(-1)} |`)
  }
}
