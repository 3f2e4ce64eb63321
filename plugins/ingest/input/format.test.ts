import { describe, expect, test } from 'bun:test'
import { formatOfFile, formatOfPage } from './format.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const sniffed = (text: string) => formatOfFile(undefined, '', encode(text))

describe('a file of another kind has no format', () => {
  test.each([
    ['letter.rtf', '{\\rtf1\\ansi The lunch break lasts 45 minutes.}'],
    ['mail.eml', 'From: a@example.com\r\nContent-Transfer-Encoding: base64\r\n\r\nSGVsbG8='],
    ['slides.pptx', 'PK\u0003\u0004 [Content_Types].xml'],
    ['', 'PK\u0003\u0004 [Content_Types].xml xl/workbook.xml'],
    ['data.xml', '\ufeff<?xml version="1.0"?><orders><order/></orders>'],
  ])('%s', (name, content) => {
    expect(formatOfFile(name, '', encode(content))).toBeUndefined()
  })

  test('but plain mail and a document by any name have', () => {
    expect(formatOfFile('mail.eml', '', encode('From: a@example.com\r\nSubject: Hi\r\n\r\nHello'))).toBe('TEXT')
    for (const name of ['', 'report.bak', 'download.php'])
      expect(formatOfFile(name, '', encode('PK\u0003\u0004 [Content_Types].xml'))).toBe('DOCX')
  })
})

describe('the format of bytes without a name', () => {
  test('is found however many comments stand before the first element', () => {
    const comments = '<!-- a -->'.repeat(400)
    expect(sniffed(`${comments}<html><p>`)).toBe('HTML')
    // A pattern that may divide them in several ways would try all of these.
    expect(sniffed(`${comments}x`)).toBe('TEXT')
    expect(sniffed('<?xml version="1.0"?>\n<!DOCTYPE html><p>')).toBe('HTML')
    expect(sniffed('<!doctype svg><svg>')).toBe('TEXT')
  })

  test('is JSON only where the bytes are', () => {
    for (const json of ['{"a": 1}', '{"a": ', '[1, 2', ' [{"a": "ü"}]', '{"a": 1}\n{"a": 2}\n', '[]']) {
      expect([json, sniffed(json)]).toEqual([json, 'JSON'])
    }
    for (const text of ['[2024-05-01 12:00:01] INFO started', '[1] Knuth, 1968', '["a"] is a list', '{a}', '[x](y)']) {
      expect([text, sniffed(text)]).toEqual([text, 'TEXT'])
    }
  })

  test('is HTML where it is a feed, and other XML has none', () => {
    for (const feed of [
      '<rss version="2.0">',
      '<?xml version="1.0"?>\n<feed xmlns="a">',
      '<?xml version="1.0"?><rdf:RDF>',
    ]) {
      expect([feed, sniffed(feed)]).toEqual([feed, 'HTML'])
      expect(formatOfPage(encode(feed), 'text/xml', 'https://example.com/').format).toBe('HTML')
    }
    const data = encode('<?xml version="1.0"?><orders/>')
    expect(formatOfPage(data, 'application/xml', 'https://example.com/').format).toBeUndefined()
    expect(formatOfPage(data, 'application/xhtml+xml', 'https://example.com/').format).toBe('HTML')
  })

  test('of a page goes by what its server says where the bytes do not tell', () => {
    const log = encode('[2024-05-01 12:00:01] INFO started\n')
    expect(formatOfPage(log, 'text/plain', 'https://example.com/app.log').format).toBe('TEXT')
    expect(formatOfPage(encode('{"a": }'), 'application/json', 'https://example.com/').format).toBe('JSON')
  })
})
