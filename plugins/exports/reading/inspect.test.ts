import { expect, test } from 'bun:test'
import { inspect } from './inspect.ts'

test('what a document on one line is, however large, is told from its beginning', async () => {
  let read = 0
  const open = async function* () {
    for (let n = 0; n < 100; n++) {
      read++
      yield new TextEncoder().encode(`${n === 0 ? '[' : ','}{"text": "${'x'.repeat(256 * 1024)}"}`)
    }
  }
  expect(await inspect(open)).toBe('list')
  expect(read).toBeLessThan(20)
})

test('a file of lines is told by its first two, whatever blank lines are between', async () => {
  const open = (text: string) =>
    async function* () {
      yield new TextEncoder().encode(text)
    }
  const long = JSON.stringify({ text: 'x'.repeat(1_000_000) })
  for (const content of [`${long}\n\n${long}\n`, `[1]${'\n'.repeat(1000)}${long}`, '"A text."']) {
    expect(await inspect(open(content))).toBe('plain')
  }
  expect(await inspect(open('[1,\n2]'))).toBe('list')
  expect(await inspect(open('{"results":\n[]}'))).toBe('document')
})
