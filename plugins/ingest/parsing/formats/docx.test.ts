import { describe, expect, test } from 'bun:test'
import { zipSync } from 'fflate'
import { encode, faultOf, textOf, WORD_PARTS, warningsOf, wordBody, wordDocument } from '../fixtures.test-support.ts'

const docx = (body: string) => zipSync({ ...WORD_PARTS, 'word/document.xml': encode(wordBody(body)) })

const LETTERS =
  '<w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri"/><w:sz w:val="22"/><w:lang w:val="en-GB"/></w:rPr>'
const run = (text: string) =>
  `<w:proofErr w:type="spellStart"/><w:r w:rsidR="00A77B3E">${LETTERS}<w:t xml:space="preserve">${text}</w:t></w:r>`
const formatted = (...texts: string[]) =>
  `<w:p w:rsidR="00A77B3E" w:rsidP="00C2"><w:pPr><w:jc w:val="both"/>${LETTERS}</w:pPr>${texts.map(run).join('')}</w:p>`

describe('the markup of a Word document', () => {
  test('is counted before a tree is built of it, over all parts', async () => {
    const paragraphs = zipSync({ ...WORD_PARTS, 'word/document.xml': encode(wordDocument(500)) })
    expect(await faultOf('DOCX', paragraphs, { marks: 400 })).toBe('LIMIT_EXCEEDED')
    expect(await faultOf('DOCX', paragraphs, { marks: 600 })).toBeUndefined()
    const attributes = docx(`<w:p ${Array.from({ length: 2000 }, (_, n) => `a${n}=""`).join(' ')}/>`)
    expect(await faultOf('DOCX', attributes)).toBe('LIMIT_EXCEEDED')
    const words = '<w:p><w:r><w:t>harbour</w:t></w:r></w:p>'.repeat(10)
    const styles = encode(`<w:styles>${'<w:style w:styleId="a"/>'.repeat(600)}</w:styles>`)
    const inOthers = zipSync({ ...WORD_PARTS, 'word/document.xml': encode(wordBody(words)), 'word/styles.xml': styles })
    expect(await faultOf('DOCX', inOthers, { marks: 600 })).toBe('LIMIT_EXCEEDED')
    const text = docx(`<w:p><w:r><w:t>${'x'.repeat(20_000)}</w:t></w:r></w:p>`)
    expect(await faultOf('DOCX', text, { markupBytes: 10_000 })).toBe('LIMIT_EXCEEDED')
  })

  test('counts without what only formats, so that long documents by people are read', async () => {
    const paragraphs = Array.from({ length: 300 }, (_, n) =>
      formatted('The harbour ', 'of Ghent, ', `part ${n}, `, 'is open.'),
    )
    const file = docx(paragraphs.join(''))
    expect(await faultOf('DOCX', file, { marks: 310 })).toBeUndefined()
    expect(await textOf('DOCX', file)).toContain('The harbour of Ghent, part 299, is open.')
  })

  test('may be cut off anywhere', async () => {
    const whole = wordBody(`${formatted('a', 'b')}<w:sectPr><w:a b=">"/></w:sectPr><!-- c -->`)
    for (let end = 1; end < whole.length; end++) {
      const cut = zipSync({ ...WORD_PARTS, 'word/document.xml': encode(whole.slice(0, end)) })
      expect(await faultOf('DOCX', cut)).toBe('CORRUPT_FILE')
    }
  })
})

describe('a Word document whose pages alone have a header', () => {
  const holding = (header: string, body = '') =>
    zipSync({
      ...WORD_PARTS,
      'word/document.xml': encode(wordBody(body)),
      'word/header1.xml': encode(`<w:hdr>${header}</w:hdr>`),
      'word/header2.xml': encode(`<w:hdr>${header}</w:hdr>`),
      'word/_rels/document.xml.rels': encode(
        `<Relationships>${[1, 2].map(n => `<Relationship Id="h${n}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/header" Target="header${n}.xml"/>`).join('')}</Relationships>`,
      ),
    })
  const header = '<w:p><w:r><w:t>Lock keepers of Ghent</w:t></w:r></w:p>'

  test('is read by it once, and says so', async () => {
    expect(await textOf('DOCX', holding(header))).toBe('Lock keepers of Ghent')
    expect(await warningsOf('DOCX', holding(header))).toEqual(['It has no text but that of its headers and footers.'])
    expect(await faultOf('DOCX', holding('<w:p/>'))).toBe('NO_TEXT')
  })

  test('is without it where there is other text', async () => {
    const body = '<w:p><w:r><w:t>Gates</w:t></w:r></w:p>'
    expect(await textOf('DOCX', holding(header, body))).toBe('Gates')
    expect(await warningsOf('DOCX', holding(header, body))).toEqual([])
  })
})
