import { describe, expect, test } from 'bun:test'
import { zipSync } from 'fflate'
import { chunksOfDocument, encode, faultOf, pdfOfSigns, pdfPages, rawPdf, textOf } from './fixtures.test-support.ts'

describe('a PDF', () => {
  const page = (n: number, lines: readonly string[]) => ['The running header', ...lines, `Page ${n} of 4`]

  test('is read without what stands on every page, words put together, paragraphs over pages', async () => {
    const text = await textOf(
      'PDF',
      pdfPages([
        page(1, [
          'The harbour of Ghent was opened by the mayor of the town, who spoke about the impor-',
          'tance of ships and',
        ]),
        page(2, ['went on about trade until the evening came over the river and its many bridges there.']),
        page(3, ['Third page of prose, which says nothing that would be worth to be told to anybody.']),
        page(4, ['Fourth page of prose, which is as short as the third and ends the whole document.']),
      ]),
    )
    expect(text).toContain('about the importance of ships and went on about trade')
    expect(text).not.toMatch(/running header|Page \d of/)
  })

  test('keeps lines that stand on every page with other numbers, and pages that have nothing else', async () => {
    const totals = [120, 87, 905, 33].map((total, n) => [
      'The running header',
      `Invoice ${total * 7} of the year`,
      `What it is for is told in words of its own here, as that of ${total}.`,
      `Page ${n + 1} of 4`,
    ])
    const text = await textOf('PDF', pdfPages(totals))
    for (const part of ['Invoice 840 of', 'Invoice 609 of', 'Invoice 6335 of', 'Invoice 231 of']) {
      expect(text).toContain(part)
    }
    expect(text).not.toMatch(/running header|Page \d of/)
    const slides = [1, 2, 3, 4].map(n => [`Slide ${n} is about ships and trade.`])
    expect(await textOf('PDF', pdfPages(slides))).toContain('Slide 3 is about ships')
  })

  test('keeps the page of each chunk', async () => {
    const lines = (n: number) =>
      Array.from({ length: 14 }, (_, m) => `Sentence ${m} of page ${n} has some words that nobody needs.`)
    const chunks = await chunksOfDocument('PDF', pdfPages([1, 2, 3].map(n => lines(n))))
    for (const { text, page: number } of chunks) expect(text).toContain(`of page ${number} `)
  })

  test('reads letters in the shapes of a font, and ligatures of them, in their order', async () => {
    // From the left: meem, the ligature of lam and alef, seen, lam, alef.
    expect(await textOf('PDF', pdfOfSigns(['\ufee1', '\ufefc', '\ufeb4', '\ufedf', '\ufe8d']))).toBe('السلام')
    expect(await textOf('PDF', pdfOfSigns(['ﬁ', 'n', 'd']))).toBe('find')
    expect(await textOf('PDF', pdfOfSigns(['\ufeea', '\ufe76', '\ufee3']))).not.toContain(' ')
    // The points of such letters may come beside their place; the letters are in order.
    const pointed = await textOf('PDF', pdfOfSigns(['\u05e8', '\u05e7', '\ufb4b', '\ufb31']))
    expect(pointed.replace(/\p{M}/gu, '')).toBe('\u05d1\u05d5\u05e7\u05e8')
  })

  test('that cannot be read says why', async () => {
    const password = rawPdf(
      ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>'],
      `/ID[<00><00>]/Encrypt<</Filter/Standard/V 2/R 3/Length 128/P -4/O<${'11'.repeat(32)}>/U<${'22'.repeat(32)}>>>`,
    )
    expect(await faultOf('PDF', password)).toBe('PASSWORD_PROTECTED')
    expect(await faultOf('PDF', pdfPages([[], []]))).toBe('NO_TEXT')
    expect(await faultOf('PDF', encode('%PDF-1.7\nnothing that follows'))).toBe('CORRUPT_FILE')
    expect(await faultOf('PDF', 'plain text')).toBe('FORMAT_MISMATCH')
    expect(await faultOf('PDF', pdfPages([['a'], ['b']]), { pages: 1 })).toBe('LIMIT_EXCEEDED')
  })
})

describe('a Word document', () => {
  test('that is none, or is protected, or unpacks to too much, says so', async () => {
    const compound = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)
    const encrypted = new Uint8Array([...compound, ...Buffer.from('EncryptedPackage', 'utf16le')])
    expect(await faultOf('DOCX', encrypted)).toBe('PASSWORD_PROTECTED')
    expect(await faultOf('DOCX', new Uint8Array([...compound, ...new Uint8Array(600)]))).toBe('FORMAT_MISMATCH')
    expect(await faultOf('DOCX', zipSync({ 'xl/workbook.xml': encode('<workbook/>') }))).toBe('FORMAT_MISMATCH')
    expect(await faultOf('DOCX', zipSync({ 'word/document.xml': encode('<w:document>') }))).toBe('CORRUPT_FILE')
    const tower = zipSync({ 'word/document.xml': encode(`<w:document>${'<w:p>'.repeat(50_000)}`) })
    expect(await faultOf('DOCX', tower)).toBe('LIMIT_EXCEEDED')
    const bomb = zipSync({ 'word/document.xml': new Uint8Array(2_000_000) })
    expect(await faultOf('DOCX', bomb, { decompressedBytes: 1_000_000 })).toBe('LIMIT_EXCEEDED')
  })
})

describe('HTML', () => {
  test('is what it shows: no scripts, no hidden parts; lists, tables and breaks as they are', async () => {
    const text = await textOf(
      'HTML',
      `<style>p{}</style><script>alert(1)</script><p hidden>secret</p><h2>Towns</h2><p>One<br>two &amp; th<b>ree</b></p>
       <ol start=4><li>four<ul><li>below</li></ul></li></ol><table><tr><th>Town<th>River<tr><td>Ghent<td>Leie</table>`,
    )
    expect(text).toBe('Towns\n\nOne\ntwo & three\n4. four\n  - below\nTown: Ghent; River: Leie')
  })

  test('is decoded as it says itself', async () => {
    const bytes = Uint8Array.from(
      [...'<meta charset="windows-1251"><p>'].map(c => c.charCodeAt(0)).concat([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]),
    )
    expect(await textOf('HTML', bytes)).toBe('Привет')
  })

  test('that nests its elements without end is refused', async () => {
    expect(await faultOf('HTML', '<div>'.repeat(5000))).toBe('LIMIT_EXCEEDED')
  })
})

describe('CSV', () => {
  test('is read by its own delimiter, with and without names of columns', async () => {
    expect(await textOf('CSV', 'name;note\n"Ada; L.";"says ""hi"""\n')).toBe('name: Ada; L.; note: says "hi"')
    expect(await textOf('CSV', '1,2\n3,4\n')).toBe('Column 1: 1; Column 2: 2\nColumn 1: 3; Column 2: 4')
    expect(await textOf('CSV', 'a\tb\n1\t2\t3\n')).toBe('a: 1; b: 2; Column 3: 3')
    expect(await textOf('CSV', 'name,note\n"never closed,1\nAda,2\n')).toContain('name: Ada; note: 2')
    const broken = await textOf('CSV', 'näme,city\n"Ada ""A""","New\nYork"\nBob,"never closed\nEve,Rome\n')
    expect(broken).toBe('näme: Ada "A"; city: New\nYork\nnäme: Bob; city: "never closed\nnäme: Eve; city: Rome')
    expect(await textOf('CSV', 'sep=;\r\nname;note\r\nAda;1,5\r\n')).toBe('name: Ada; note: 1,5')
  })
})

describe('JSON', () => {
  test('is told by records with the paths of their keys, and numbers keep their digits', async () => {
    const chunks = await chunksOfDocument(
      'JSON',
      '{"shop": {"id": 12345678901234567890, "open": true, "tags": ["a", "b"], "none": null}}',
    )
    expect(chunks.map(({ text }) => text)).toEqual(['shop.id: 12345678901234567890\nshop.open: true\nshop.tags: a, b'])
    expect(await textOf('JSON', '{"a": 1}\n{"a": 2}\n')).toBe('a: 1\n\na: 2')
  })

  test('that is none, or nests without end, is refused', async () => {
    expect(await faultOf('JSON', '{"a": }')).toBe('CORRUPT_FILE')
    expect(await faultOf('JSON', '['.repeat(100_000))).toBe('LIMIT_EXCEEDED')
  })
})

describe('text', () => {
  test('is decoded by mark, as UTF-8, by zeros, or by what it looks like', async () => {
    const text = 'Grüße aus Köln, wo die Straße schön ist und der Käse süß schmeckt.'
    const utf16 = new Uint8Array(Buffer.from(text, 'utf16le'))
    const latin = Uint8Array.from([...text].map(character => character.charCodeAt(0)))
    for (const bytes of [encode(text), encode(`\ufeff${text}`), new Uint8Array([0xff, 0xfe, ...utf16]), utf16, latin]) {
      expect(await textOf('TEXT', bytes)).toBe(text)
    }
  })

  test('of UTF-32 is decoded in either order, with a mark or without one', async () => {
    for (const text of ['Grüße aus Köln.', '東京は大きい。', '🐝 Bienen']) {
      for (const [content, isLittle] of [text, `\ufeff${text}`].flatMap(one => [
        [one, true] as const,
        [one, false] as const,
      ])) {
        const points = [...content].map(character => character.codePointAt(0) ?? 0)
        const view = new DataView(new ArrayBuffer(4 * points.length))
        for (const [n, point] of points.entries()) view.setUint32(4 * n, point, isLittle)
        expect(await textOf('TEXT', new Uint8Array(view.buffer))).toBe(text)
      }
    }
    expect(await textOf('TEXT', new Uint8Array(Buffer.from('a\nb\nc\nd\n', 'utf16le')))).toBe('a\nb\nc\nd')
  })

  test('that is something else, or nothing, says so', async () => {
    expect(await faultOf('TEXT', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2, 3))).toBe('FORMAT_MISMATCH')
    expect(await faultOf('MARKDOWN', pdfPages([['a']]))).toBe('FORMAT_MISMATCH')
    expect(await faultOf('TEXT', '')).toBe('EMPTY_FILE')
    expect(await faultOf('TEXT', ' \n\t ')).toBe('EMPTY_FILE')
  })
})

describe('Markdown', () => {
  test('loses its marks and keeps its structure', async () => {
    const text = await textOf(
      'MARKDOWN',
      '---\ntitle: A page\n---\n\n# One\n\nSome **bold**\ntext with `code`, [a link](http://x).\n\n1. first\n2. second\n\n```\nlet a = 1\n```\n',
    )
    expect(text).toBe('title: A page\n\nOne\n\nSome bold text with code, a link.\n1. first\n2. second\n\nlet a = 1')
  })
})

describe('a reader that goes on too long, or takes too much', () => {
  test('is ended, and the document says so', async () => {
    expect(await faultOf('TEXT', 'word '.repeat(900_000), { timeMs: 1 })).toBe('TIMED_OUT')
    expect(await faultOf('TEXT', 'a paragraph\n\n'.repeat(5000), { chunks: 3 })).toBe('LIMIT_EXCEEDED')
  })
})
