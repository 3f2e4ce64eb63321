import { describe, expect, test } from 'bun:test'
import { createRequire } from 'node:module'
import { getResolvedPDFJS } from 'unpdf'
import { faultOf, pdfInCMap, pdfOfOperators, textOf, warningsOf } from '../fixtures.test-support.ts'
import { pdfOf } from './drawn.test-support.ts'
import { openPdf } from './open.ts'
import { lookAtTextless } from './textless-pages.ts'

describe('a PDF', () => {
  test('says how many of its pages hold only pictures, and nothing of blank ones', async () => {
    const text = 'BT /F1 11 Tf 60 780 Td (A page with text.) Tj ET'
    const inline = 'q 595 0 0 842 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID 0 EI Q'
    const mixed = pdfOfOperators([text, 'q 595 0 0 842 0 0 cm /I1 Do Q', inline, `${text} /I1 Do`, '0 0 9 9 re f', ''])
    expect(await warningsOf('PDF', mixed)).toEqual([expect.stringMatching(/^2 of its 6 pages hold only pictures/)])
    expect(await warningsOf('PDF', pdfOfOperators([text, '']))).toEqual([])
  })

  test('counts pages whose only text is their number', async () => {
    const text = 'BT /F1 11 Tf 60 780 Td (A page with text.) Tj ET'
    const number = (n: number) => `BT /F1 11 Tf 290 30 Td (${n}) Tj ET`
    const strange = 'BT /F2 11 Tf 60 780 Td (A page with text.) Tj ET'
    const pages = [text, `${number(2)} /I1 Do`, `${number(3)} ${strange}`, number(4)]
    expect(await warningsOf('PDF', pdfOfOperators(pages))).toEqual([
      expect.stringMatching(/^1 of its 4 pages holds only pictures/),
      expect.stringMatching(/^1 of its 4 pages was left out: the fonts/),
    ])
  })

  test('looks at no more than twenty pages without text', async () => {
    const pages = [
      'BT /F1 11 Tf 60 780 Td (A page with text.) Tj ET',
      ...Array.from({ length: 21 }, () => 'q 9 0 0 9 0 0 cm /I1 Do Q'),
    ]
    expect(await warningsOf('PDF', pdfOfOperators(pages))).toEqual([
      expect.stringMatching(/^At least 20 of its 22 pages hold only pictures/),
    ])
    expect(await warningsOf('PDF', pdfOfOperators(pages.slice(0, -1)))).toEqual([
      expect.stringMatching(/^20 of its 21 pages hold only pictures/),
    ])
  })

  test('is read as before where it cannot be opened a second time', async () => {
    const pdf = await openPdf(pdfOfOperators(['q 9 0 0 9 0 0 cm /I1 Do Q']))
    const known = { pictures: 1, unreadable: 0, isComplete: true }
    expect(await lookAtTextless(pdf, [1])).toEqual(known)
    expect(await lookAtTextless(Object.assign(pdf, { getData: async () => new Uint8Array() }), [1])).toEqual({
      ...known,
      pictures: 0,
    })
  })

  test.each([
    ['90ms-RKSJ-H', 'Japan1', '93FA967B8CEA', '日本語'],
    ['UniJIS-UCS2-H', 'Japan1', '65E5672C8A9E', '日本語'],
    ['Identity-H', 'Japan1', '0CD4', '日'],
    ['GBK-EUC-H', 'GB1', 'D6D0CEC4', '中文'],
    ['UniGB-UTF16-H', 'GB1', '4E2D6587', '中文'],
    ['ETen-B5-H', 'CNS1', 'A4A4A4E5', '中文'],
    ['KSCms-UHC-H', 'Korea1', 'C7D1B1B9BEEE', '한국어'],
  ])('in the encoding %s for fonts of %s, which it does not hold, is read', async (encoding, ordering, codes, text) => {
    expect(await textOf('PDF', pdfInCMap(encoding, ordering, codes))).toBe(text)
  })

  test('reads its tables of letters from the pdf.js that reads it', async () => {
    const { version } = createRequire(import.meta.url)('pdfjs-dist/package.json')
    expect((await getResolvedPDFJS()).version).toBe(version)
  })

  test('says which of its pages have fonts that do not tell their letters', async () => {
    expect(await faultOf('PDF', pdfInCMap('None-Such-H', 'Japan1', '93FA'))).toBe('NO_TEXT')
    const line = (font: string) => `BT /${font} 11 Tf 60 780 Td (A page with text.) Tj ET`
    expect(await warningsOf('PDF', pdfOfOperators([line('F1'), line('F2')]))).toEqual([
      expect.stringMatching(/^1 of its 2 pages was left out: the fonts/),
    ])
  })
})

test('a paragraph ends at a gap that is wide for its own lines, on a page with much room between its parts', async () => {
  const prose = (from: number, y: number) =>
    [0, 1, 2].map(n => ({
      text: `Sentence ${from + n} of the keeper goes on and on over the whole width of its page, as`,
      x: 60,
      y: y - n * 12,
    }))
  const apart = [0, 1, 2, 3, 4, 5].map(n => ({ text: `Lock ${n} of the canal`, x: 60, y: 640 - n * 30 }))
  const text = await textOf('PDF', await pdfOf([...prose(1, 780), ...prose(4, 732), ...apart]))
  expect(text).toContain('as\n\nSentence 4')
  expect(text).toContain('as Sentence 2')
})
