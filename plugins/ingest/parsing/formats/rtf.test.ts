import { describe, expect, test } from 'bun:test'
import { encode, faultOf, textOf, warningsOf } from '../fixtures.test-support.ts'

const rtf = (body: string) =>
  `{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset128 MS Mincho;}}{\\*\\generator Word;}\n${body}}`

describe('rich text', () => {
  test('is read in the encodings of its fonts, and its signs of Unicode once', async () => {
    expect(
      await textOf(
        'RTF',
        rtf("The caf\\'e9 of \\f1\\'cc\\'ee\\'f1\\'ea\\'e2\\'e0\\f0  and {\\f2 \\'93\\'8c\\'8b\\'9e}.\\par"),
      ),
    ).toBe('The café of Москва and 東京.')
    expect(
      await textOf(
        'RTF',
        rtf("\\uc1 It costs 9 \\u8364? or {\\uc2\\u8364\\'80\\'80}, \\ldblquote no\\rdblquote  more\\~now.\\par"),
      ),
    ).toBe('It costs 9 € or €, “no” more now.')
  })

  test('has headings, lists, tables and notes, without what is hidden, pictures and what stands on each page', async () => {
    const body = [
      '{\\header On each page\\par}\\pard\\outlinelevel0 Harbours\\par\\pard The quay{\\footnote Built in 1880.}.\\par',
      '{\\listtext\\pard\\plain 1.\\tab}\\pard\\ls1 first\\par{\\listtext 2.\\tab}second\\par\\pard {\\v hidden}{\\*\\unknown dropped}{\\pict 89504e47}',
      '\\trowd\\intbl Name\\cell Tons\\cell\\row\\intbl Leie\\cell 90\\cell\\row\\intbl Dender\\cell 70\\cell\\row\\pard The end.\\par',
    ].join('\n')
    expect(await textOf('RTF', rtf(body))).toBe(
      'Harbours\n\nThe quay.\n\nBuilt in 1880.\n1. first\n2. second\nName: Leie; Tons: 90\nName: Dender; Tons: 70\n\nThe end.',
    )
  })

  test('whose text stands on each page alone, as that of a letterhead, is read', async () => {
    const head = '{\\header\\pard Harbour of Ghent\\par}{\\footer\\pard Quay 4\\par}'
    expect(await textOf('RTF', rtf(`${head}\\pard\\par`))).toBe('Harbour of Ghent\n\nQuay 4')
    expect(await textOf('RTF', rtf(`${head}\\pard Dear Ada,\\par`))).toBe('Dear Ada,')
  })

  test('that is none, nests too deep, or holds bytes of another kind says so', async () => {
    expect(await faultOf('RTF', 'plain text')).toBe('FORMAT_MISMATCH')
    expect(await faultOf('RTF', rtf('{'.repeat(300)))).toBe('LIMIT_EXCEEDED')
    expect(await faultOf('RTF', rtf('\\pard\\par'))).toBe('NO_TEXT')
    expect(await textOf('RTF', rtf('{\\pict\\bin5 }}}}}}after\\par'))).toBe('after')
  })

  test('that is cut off says so, wherever it ends', async () => {
    const whole = rtf(
      '{\\b The rent} is 940.\\par\\trowd\\intbl Tenant\\cell Aylin Demir\\cell\\row\\intbl Rent\\cell 940 EUR\\cell\\row',
    )
    expect(await textOf('RTF', whole)).toBe('The rent is 940.\nTenant: Aylin Demir\nRent: 940 EUR')
    expect(await warningsOf('RTF', encode(whole))).toEqual([])
    for (const end of [whole.length - 1, whole.indexOf('cell 940'), whole.indexOf('rent')])
      expect(await warningsOf('RTF', encode(whole.slice(0, end)))).toEqual([
        'The file is cut off: what stood at its end is missing.',
      ])
  })
})
