import { describe, expect, test } from 'bun:test'
import { encode, textOf, warningsOf } from './fixtures.test-support.ts'

/** A picture as Base64 has the look of: the same each time, and without any pattern. */
function picture(bytes: number): string {
  let seed = 7
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed >> 16
  }
  return Buffer.from(Array.from({ length: bytes }, next)).toString('base64')
}
const lines = (text: string, width: number) => text.match(new RegExp(`.{1,${width}}`, 'g'))?.join('\n') ?? ''

describe('binary data in text is left out, and a warning counts it', () => {
  test('of a value of JSON', async () => {
    const json = JSON.stringify([
      { name: 'Ghent', photo: `data:image/png;base64,${picture(3000)}`, note: 'a town' },
      { name: 'Bruges', photo: picture(3000), pages: { scan: picture(900) } },
    ])
    expect(await textOf('JSON', json)).toBe('name: Ghent\nnote: a town\n\nname: Bruges')
    expect(await warningsOf('JSON', encode(json))).toEqual([
      '3 pieces of binary data in its text, as pictures, were left out.',
    ])
  })

  test('of a definition of a link in Markdown, while the words that link to it stay', async () => {
    const text = `# Notes\n\nThe plan: ![the harbour][image1]\n\n[image1]: <data:image/png;base64,${picture(2000)}>\n`
    const read = await textOf('MARKDOWN', text)
    expect(read).toContain('The plan: the harbour')
    expect(read).not.toMatch(/data:|base64|[A-Za-z0-9+/]{40}/)
  })

  test('of lines in plain text and of a cell, with what stands around them kept', async () => {
    const certificate = `The key of the harbour:\n\n-----BEGIN CERTIFICATE-----\n${lines(picture(900), 64)}\n-----END CERTIFICATE-----\n\nIt is renewed in May.`
    expect(await textOf('TEXT', certificate)).toBe(
      'The key of the harbour:\n\n-----BEGIN CERTIFICATE-----\n[binary data]\n-----END CERTIFICATE-----\n\nIt is renewed in May.',
    )
    const csv = `name,photo\nGhent,${picture(400)}\nBruges,${Buffer.from(picture(300)).toString('hex')}\n`
    expect(await textOf('CSV', csv)).toBe('name: Ghent\nname: Bruges')
  })

  test('but an address, a hash, a sequence of genes and a long word are text', async () => {
    const kept = [
      `https://example.com/${'harbours/of/Ghent2024/'.repeat(20)}index`,
      'a'.repeat(300),
      'ACGTTGCA'.repeat(60),
      `sha512 ${'0123456789abcdef'.repeat(8)}`,
      '漢字かな'.repeat(100),
    ]
    expect((await textOf('TEXT', kept.join('\n\n'))).replace(/\s/g, '')).toBe(kept.join('').replace(/\s/g, ''))
    expect(await warningsOf('TEXT', encode(kept.join('\n\n')))).toEqual([])
  })
})
