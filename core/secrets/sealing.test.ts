import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { createKeyRing } from './key-ring.ts'
import { createSecretBox } from './secret-box.ts'
import type { SealedColumn, SealedPlace, SecretErrorCode, Secrets } from './secrets.ts'

const [former, present, foreign] = ['f'.repeat(32), 'p'.repeat(32), 'x'.repeat(32)]
const columns: readonly SealedColumn[] = [
  { purpose: 'signing-key', table: 'shop.receiver', column: 'secret', key: ['workspace_id', 'id'] },
  { purpose: 'token', table: 'shop.receiver', column: 'token', key: ['workspace_id', 'id'] },
]
const place: SealedPlace = { purpose: 'signing-key', row: { workspace_id: randomUUID(), id: randomUUID() } }

const box = (plugin: string, current: string, previous: string[] = []) =>
  createSecretBox(plugin, columns, createKeyRing(current, previous))
const own = box('shop', present)

function codeOf(work: () => unknown): SecretErrorCode | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return Reflect.get(error as object, 'code')
  }
}

describe('a sealed value', () => {
  test('is opened as what it was, and looks different each time', () => {
    for (const plaintext of ['', 'whsec_abc', 'grüße 🦊\u0000', 'x'.repeat(65_536)]) {
      const sealed = own.seal(plaintext, place)
      expect(sealed).toMatch(/^s1\.[0-9a-f]{16}\.[A-Za-z0-9_-]+$/)
      expect(own.open(sealed, place)).toBe(plaintext)
      expect(own.seal(plaintext, place)).not.toBe(sealed)
    }
  })

  test('is nothing to anyone else: another row, workspace, purpose, plugin or deployment', () => {
    const sealed = own.seal('secret', place)
    const { row } = place
    const others: [Secrets, SealedPlace][] = [
      [own, { ...place, row: { ...row, id: randomUUID() } }],
      [own, { ...place, row: { ...row, workspace_id: randomUUID() } }],
      [own, { ...place, row: { workspace_id: row.id ?? '', id: row.workspace_id ?? '' } }],
      [own, { ...place, purpose: 'token' }],
      [box('other', present), place],
    ]
    for (const [secrets, at] of others) expect(codeOf(() => secrets.open(sealed, at))).toBe('NOT_AUTHENTIC')
    expect(codeOf(() => box('shop', foreign).open(sealed, place))).toBe('UNKNOWN_KEY')
  })

  test('is refused with any of its characters changed, cut or added', () => {
    const sealed = own.seal('secret', place)
    for (let n = 0; n < sealed.length; n++) {
      const changed = `${sealed.slice(0, n)}${sealed[n] === 'A' ? 'B' : 'A'}${sealed.slice(n + 1)}`
      expect(codeOf(() => own.open(changed, place))).toBeDefined()
    }
    for (const length of [0, 3, 20, 40, sealed.length - 1]) {
      expect(codeOf(() => own.open(sealed.slice(0, length), place))).toBeDefined()
    }
    for (const added of [`${sealed}A`, `${sealed}=`, ` ${sealed}`, `${sealed}\n`]) {
      expect(codeOf(() => own.open(added, place))).toBeDefined()
    }
    // The key id is bound as well: the same bytes fail under the name of another key.
    const both = box('shop', present, [former])
    const [, , content] = sealed.split('.')
    const [version, otherId] = box('shop', former).seal('', place).split('.')
    expect(codeOf(() => both.open(`${version}.${otherId}.${content}`, place))).toBe('NOT_AUTHENTIC')
  })

  test('is opened after a change of the key where the former one is named, and sealed under the present one', () => {
    const before = box('shop', former).seal('secret', place)
    const changed = box('shop', present, [foreign, former])
    expect(changed.open(before, place)).toBe('secret')
    const after = changed.seal('secret', place)
    expect(box('shop', present).open(after, place)).toBe('secret')
    expect(codeOf(() => box('shop', present).open(before, place))).toBe('UNKNOWN_KEY')
  })

  test('names ids in one way, whatever the letters they are written in', () => {
    const row = Object.fromEntries(Object.entries(place.row).map(([name, id]) => [name, String(id).toUpperCase()]))
    expect(own.open(own.seal('secret', place), { ...place, row })).toBe('secret')
  })
})

describe('what a plugin may seal', () => {
  test('is what its manifest says, for rows with all of their key', () => {
    const row = { workspace_id: randomUUID() }
    for (const wrong of [
      { ...place, purpose: 'stray' },
      { ...place, row },
      { ...place, row: { ...place.row, more: 1 } },
    ]) {
      expect(codeOf(() => own.seal('x', wrong))).toBe('NOT_DECLARED')
      expect(codeOf(() => own.open('x', wrong))).toBe('NOT_DECLARED')
    }
    expect(() => own.seal('x', { ...place, purpose: 'stray' })).toThrow(
      'plugin shop: seals for the purpose stray, which is not in its `sealed`',
    )
  })

  test('is text of a bounded length that comes back as it was', () => {
    expect(() => own.seal('x'.repeat(65_537), place)).toThrow(RangeError)
    expect(() => own.seal('\ud800', place)).toThrow(RangeError)
  })

  test('is nothing once the key of the process is retired, while everything can still be opened', () => {
    let retired = false
    const late = createSecretBox('shop', columns, createKeyRing(present), () => retired)
    const sealed = late.seal('secret', place)
    retired = true
    expect(codeOf(() => late.seal('secret', place))).toBe('KEY_RETIRED')
    expect(late.open(sealed, place)).toBe('secret')
  })
})

describe('a key ring', () => {
  test('derives a key for each purpose, the same at every start', () => {
    const { current } = createKeyRing(present)
    expect(current.derive('sessions')).toMatch(/^[0-9a-f]{64}$/)
    expect(current.derive('sessions')).toBe(createKeyRing(present).current.derive('sessions'))
    expect(current.derive('sessions')).not.toBe(current.derive('other'))
    expect(current.derive('sessions')).not.toBe(createKeyRing(former).current.derive('sessions'))
  })

  test('has every key once, and says nothing of them by their ids', () => {
    const ring = createKeyRing(present, [former, present, former])
    expect(ring.all.map(({ id }) => id)).toEqual([createKeyRing(present).current.id, createKeyRing(former).current.id])
    for (const { id, digest } of ring.all) {
      expect(id).toMatch(/^[0-9a-f]{16}$/)
      expect(digest).not.toContain('pppp')
    }
  })
})
