import { describe, expect, test } from 'bun:test'
import { measure } from '../../bench/size.ts'
import { filesWith, importsAt, isTest, read, targetOf } from './source.ts'

/** Lines of each room of the kernel, as `bun bench/size.ts` counts them. A figure only falls: who makes a room smaller lowers it. */
const LINES_MAX: Readonly<Record<string, number>> = {
  '*': 2269,
  auth: 3340,
  background: 230,
  boot: 3042,
  db: 1852,
  events: 794,
  fair: 643,
  faults: 228,
  files: 118,
  http: 6928,
  jobs: 2413,
  models: 3126,
  outgoing: 1259,
  pages: 342,
  quarantine: 324,
  resources: 439,
  retention: 607,
  secrets: 662,
  subjects: 388,
  tracing: 424,
  usage: 769,
}

const roomOf = (path: string) => /^core\/([^/.]+)\//.exec(path)?.[1]

describe('the rooms of the kernel', () => {
  const order = [...read('docs/map.md').matchAll(/^\| \[`core\/(\w+)\/`\]/gm)].map(([, room = '']) => room)

  test('stay within their sizes, and each has one', () => {
    const rooms = measure().filter(({ name }) => name.startsWith('core/'))
    const sizes = new Map(rooms.map(({ name, sizes }) => [name.slice(5), sizes.reduce((sum, lines) => sum + lines, 0)]))
    expect([...sizes.keys()].toSorted()).toEqual(Object.keys(LINES_MAX).toSorted())
    expect([...sizes].filter(([room, lines]) => lines > (LINES_MAX[room] ?? 0))).toEqual([])
  })

  test('import from rooms above them on the map alone', () => {
    expect(order.length).toBeGreaterThan(15)
    const upward = filesWith('.ts')
      .filter(path => roomOf(path) && !isTest(path) && !path.includes('/fixtures/'))
      .flatMap(path => importsAt(path).map(({ specifier }) => ({ path, target: targetOf(path, specifier) ?? '' })))
      .filter(({ path, target }) => {
        const [from = '', to] = [roomOf(path), roomOf(target)]
        return to !== undefined && order.indexOf(to) > order.indexOf(from)
      })
    expect(upward).toEqual([])
  })
})
