import { describe, expect, test } from 'bun:test'
import { zipSync } from 'fflate'
import { encode, faultOf, textOf, WORD_PARTS, wordBody, wordDocument } from '../fixtures.test-support.ts'
import { PARSING_LIMITS } from '../limits.ts'
import { LeanMarkup } from './docx-markup.ts'

const docx = (body: string) => zipSync({ ...WORD_PARTS, 'word/document.xml': encode(wordBody(body)) })
const leanOf = (xml: string) => new TextDecoder().decode(new LeanMarkup(PARSING_LIMITS).of(encode(xml)))

const LETTERS =
  '<w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri"/><w:sz w:val="22"/><w:lang w:val="en-GB"/></w:rPr>'
const run = (text: string) =>
  `<w:proofErr w:type="spellStart"/><w:r w:rsidR="00A77B3E">${LETTERS}<w:t xml:space="preserve">${text}</w:t></w:r>`
const formatted = (...texts: string[]) =>
  `<w:p w:rsidR="00A77B3E" w:rsidP="00C2"><w:pPr><w:jc w:val="both"/>${LETTERS}</w:pPr>${texts.map(run).join('')}</w:p>`

describe('the markup of a Word document', () => {
  test('is counted before a tree is built of it, over all parts', async () => {
    const paragraphs = zipSync({ ...WORD_PARTS, 'word/document.xml': encode(wordDocument(500)) })
    expect(await faultOf('DOCX', paragraphs, { marks: 1400 })).toBe('LIMIT_EXCEEDED')
    expect(await faultOf('DOCX', paragraphs, { marks: 1600 })).toBeUndefined()
    const attributes = docx(`<w:p ${Array.from({ length: 2000 }, (_, n) => `a${n}=""`).join(' ')}/>`)
    expect(await faultOf('DOCX', attributes, { marks: 1600 })).toBe('LIMIT_EXCEEDED')
    const words = '<w:p><w:r><w:t>harbour</w:t></w:r></w:p>'.repeat(10)
    const other = encode(`<a>${'<b/>'.repeat(2000)}</a>`)
    const inOthers = zipSync({ ...WORD_PARTS, 'word/document.xml': encode(wordBody(words)), 'word/a.xml': other })
    expect(await faultOf('DOCX', inOthers, { marks: 1600 })).toBe('LIMIT_EXCEEDED')
    expect(await faultOf('DOCX', docx('x'.repeat(20_000)), { markupBytes: 10_000 })).toBe('LIMIT_EXCEEDED')
  })

  test('counts without what only formats, so that long documents by people are read', async () => {
    const paragraphs = Array.from({ length: 300 }, (_, n) =>
      formatted('The harbour ', 'of Ghent, ', `part ${n}, `, 'is open.'),
    )
    const file = docx(paragraphs.join(''))
    expect(await faultOf('DOCX', file, { marks: 1300 })).toBeUndefined()
    expect(await textOf('DOCX', file)).toContain('The harbour of Ghent, part 299, is open.')
  })

  test('keeps headings, lists, deleted ends of paragraphs, merged cells and what an element declares', () => {
    for (const kept of [
      '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>',
      '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>',
      '<w:pPr><w:rPr><w:del w:id="1"/></w:rPr></w:pPr>',
      '<w:tcPr><w:gridSpan w:val="2"/><w:vMerge/></w:tcPr>',
      '<w:trPr><w:tblHeader/></w:trPr>',
      '<w:p xmlns:w="urn:w"></w:p>',
      '<w:r><w:t>a</w:t></w:r><w:r><w:tab/><w:t>b</w:t></w:r>',
      '<!-- <w:sectPr> --><w:t><![CDATA[<w:sectPr>]]></w:t>',
    ]) {
      expect(leanOf(kept)).toBe(kept)
    }
    expect(leanOf('<w:p a="1"><w:pPr><w:jc w:val="both"/></w:pPr></w:p>')).toBe('<w:p></w:p>')
    expect(leanOf(`<w:r>${LETTERS}<w:t>a</w:t></w:r><w:r><w:t b="2"> b</w:t></w:r>`)).toBe('<w:r><w:t>a b</w:t></w:r>')
    expect(leanOf('<w:p></w:p><w:sectPr><w:p><w:sectPr/></w:p></w:sectPr><w:p></w:p>')).toBe('<w:p></w:p><w:p></w:p>')
  })

  test('may be cut off anywhere', () => {
    const whole = `${formatted('a', 'b')}<w:sectPr><w:a b=">"/></w:sectPr><!-- c -->`
    for (let end = 0; end < whole.length; end++) expect(leanOf(whole.slice(0, end)).length).toBeLessThanOrEqual(end)
  })
})
