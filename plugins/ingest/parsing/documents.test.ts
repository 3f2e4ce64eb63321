import { describe, expect, spyOn, test } from 'bun:test'
import { zipSync } from 'fflate'
import {
  chunksOfDocument,
  encode,
  faultOf,
  pdfOfSigns,
  pdfPages,
  rawPdf,
  textOf,
  WORD_PARTS,
  warningsOf,
  wordDocument,
} from './fixtures.test-support.ts'
import { parseJson } from './formats/json.ts'
import { lyingZip } from './formats/zip.test-support.ts'
import { PARSING_LIMITS } from './limits.ts'

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
    expect(text.match(/running header|Page \d of/g)).toEqual(['running header'])
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
    expect(text.match(/running header|Page \d of/g)).toEqual(['running header'])
    const slides = [1, 2, 3, 4].map(n => [`Slide ${n} is about ships and trade.`])
    expect(await textOf('PDF', pdfPages(slides))).toContain('Slide 3 is about ships')
  })

  test('keeps the lines of a listing, of any length', async () => {
    const lines = Array.from({ length: 50 }, (_, n) =>
      n % 9 === 0 ? `Room ${n}: the long name of a room, longer than others` : `Room ${n}: free`,
    )
    expect(await textOf('PDF', pdfPages([lines]))).toContain('Room 4: free\nRoom 5: free\nRoom 6: free')
  })

  test('puts running text together that is narrower than the one line above it, and words of a listing', async () => {
    const column = [
      'and it goes on in a column that',
      'tells of many ships and an exam-',
      'ple of those which left the town',
      'of Ghent early in the morning of',
      'a day in May, with all that they',
      'had on board.',
    ]
    const caption =
      'A line that stands over the whole of the page and that has no full stop at its end, so that it goes on below'
    const text = await textOf('PDF', pdfPages([[caption, ...column]]))
    expect(text).toContain('below and it goes on in a column that tells of many ships and an example of those')
    const rooms = Array.from({ length: 20 }, (_, n) =>
      n % 4 === 0 ? [`Room ${n}: the long name of a room, longer than others`] : [`Room ${n}: exam-`, 'ple'],
    )
    expect(await textOf('PDF', pdfPages([rooms.flat()]))).toContain('Room 2: example\nRoom 3: example\nRoom 4: the')
  })

  test('says which of its pages are damaged', async () => {
    const whole = new TextDecoder().decode(pdfPages([['A page with a line of text.']]))
    const bytes = encode(whole.replace('/Kids[4 0 R]/Count 1', '/Kids[4 0 R 99 0 R]/Count 2'))
    expect(await warningsOf('PDF', bytes)).toEqual(['1 of its 2 pages is damaged and was left out.'])
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
    for (const hidden of ['<w:p x="/>">', '<w:p><!-- </w:p> -->', "<w:p y='</w:p>'>", '<w:p><![CDATA[</w:p>]]>']) {
      const masked = zipSync({ 'word/document.xml': encode(`<w:document></x></x>${hidden.repeat(50_000)}`) })
      expect([hidden, await faultOf('DOCX', masked)]).toEqual([hidden, 'LIMIT_EXCEEDED'])
    }
    const wide = new Uint8Array(Buffer.from(`\ufeff${wordDocument(300)}`, 'utf16le'))
    expect(await textOf('DOCX', zipSync({ ...WORD_PARTS, 'word/document.xml': wide }))).toContain('Ghent 299')
    const bomb = zipSync({ 'word/document.xml': new Uint8Array(2_000_000) })
    expect(await faultOf('DOCX', bomb, { decompressedBytes: 1_000_000 })).toBe('LIMIT_EXCEEDED')
  })

  test('whose archive lies about its sizes is unpacked no further than a document may be', async () => {
    const bomb = zipSync({ 'word/document.xml': new Uint8Array(40_000_000) })
    expect(await faultOf('DOCX', lyingZip(bomb), { decompressedBytes: 1_000_000 })).toBe('LIMIT_EXCEEDED')
    const short = zipSync({ ...WORD_PARTS, 'word/document.xml': encode(wordDocument(300)) })
    expect(await faultOf('DOCX', lyingZip(short))).toBe('CORRUPT_FILE')
  })
})

describe('JSON', () => {
  test('gives its values paths of bounded length', async () => {
    const records = Array.from({ length: 3 }, (_, n) => ({ n, text: 'x'.repeat(1000) }))
    const chunks = await chunksOfDocument('JSON', JSON.stringify({ ['k'.repeat(100_000)]: records }))
    expect(chunks).toHaveLength(3)
    for (const { keyPath = '' } of chunks)
      expect([keyPath.length < 600, keyPath.slice(-3)]).toEqual([true, expect.stringMatching(/\[\d\]/)])
  })

  test('of many levels around many values is read in one walk', () => {
    const levels = 250
    const json = `${'{"a":['.repeat(levels / 2)}${'"b",'.repeat(1000)}{}${']}'.repeat(levels / 2)}`
    const entries = spyOn(Object, 'entries')
    try {
      expect([...parseJson(json, PARSING_LIMITS)]).toHaveLength(1)
      expect(entries.mock.calls.length).toBeLessThan(levels * 4)
    } finally {
      entries.mockRestore()
    }
  })

  test('is stored also where its keys hold what no text of a database has', async () => {
    const [chunk] = await chunksOfDocument('JSON', JSON.stringify({ 'a\u0000\ud800': { b: 'x'.repeat(1200), c: 1 } }))
    expect(chunk?.keyPath).toBe('a\ufffd')
  })

  test('is told by records with the paths of their keys, and numbers keep their digits', async () => {
    const chunks = await chunksOfDocument(
      'JSON',
      '{"shop": {"id": 12345678901234567890, "open": true, "tags": ["a", "b"], "none": null}}',
    )
    expect(chunks.map(({ text }) => text)).toEqual(['shop.id: 12345678901234567890\nshop.open: true\nshop.tags: a, b'])
    expect(await textOf('JSON', '{"a": 1}\n{"a": 2}\n')).toBe('a: 1\n\na: 2')
    const warnings: string[] = []
    expect([...parseJson('{"a": 1}\n{"a": 2}\n{"a"', PARSING_LIMITS, warnings)]).toHaveLength(2)
    expect(warnings).toEqual(['The last of its 3 lines is cut off and was left out.'])
  })

  test('that is none, or nests without end, is refused', async () => {
    expect(await faultOf('JSON', '{"a": }')).toBe('CORRUPT_FILE')
    expect(await faultOf('JSON', '['.repeat(100_000))).toBe('LIMIT_EXCEEDED')
    const values = (count: number) => `[${'1, '.repeat(count - 1)}",[{"]`
    expect(await faultOf('JSON', values(500), { values: 500 })).toBeUndefined()
    expect(await faultOf('JSON', values(501), { values: 500 })).toBe('LIMIT_EXCEEDED')
  })
})

describe('text', () => {
  test('of any number of lines without an empty one is read', async () => {
    const lines = Array.from({ length: 70_000 }, (_, n) => `line ${n}`)
    expect(await textOf('TEXT', lines.join('\n'))).toEndWith('line 69999')
  })

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
    expect(await faultOf('TEXT', '{\\rtf1\\ansi The lunch break lasts 45 minutes.}')).toBe('FORMAT_MISMATCH')
    expect(await faultOf('TEXT', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2, 3))).toBe('FORMAT_MISMATCH')
    expect(await faultOf('MARKDOWN', pdfPages([['a']]))).toBe('FORMAT_MISMATCH')
    expect(await faultOf('TEXT', '')).toBe('EMPTY_FILE')
    expect(await faultOf('TEXT', ' \n\t ')).toBe('EMPTY_FILE')
  })
})
