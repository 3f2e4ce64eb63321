import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { FILE_FORMATS, type FileFormat, type Format } from '../formats.ts'
import { formatOfFile, formatOfPage } from './format.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const sniffed = (text: string) => formatOfFile(undefined, '', encode(text))

describe('a file of another kind has no format', () => {
  test.each([
    ['budget.ods', 'PK\u0003\u0004 mimetypeapplication/vnd.oasis.opendocument.spreadsheet'],
    ['old.xls', '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1'],
    ['book.xlsb', 'PK\u0003\u0004 [Content_Types].xml'],
    ['data.xml', '\ufeff<?xml version="1.0"?><orders><order/></orders>'],
  ])('%s', (name, content) => {
    expect(
      formatOfFile(name, '', new Uint8Array(Buffer.from(content, name === 'data.xml' ? 'utf8' : 'latin1'))),
    ).toBeUndefined()
  })
})

describe('a format is told by the name, and by the bytes where a name says nothing', () => {
  test.each<[string, string, Format]>([
    ['letter.rtf', '{\\rtf1\\ansi The lunch break lasts 45 minutes.}', 'RTF'],
    [
      'mail.eml',
      'From: a@example.com\r\nTo: b@example.com\r\nMIME-Version: 1.0\r\nContent-Transfer-Encoding: base64\r\n\r\nSGVsbG8=',
      'EML',
    ],
    ['slides.pptx', 'PK\u0003\u0004 [Content_Types].xml ppt/presentation.xml', 'PPTX'],
    ['sheet.xlsm', 'PK\u0003\u0004 [Content_Types].xml xl/workbook.xml', 'XLSX'],
    ['book.epub', 'PK\u0003\u0004 mimetypeapplication/epub+zip', 'EPUB'],
    ['plot.ipynb', '{"cells": [{"cell_type": "code"', 'IPYNB'],
    ['film.vtt', 'WEBVTT\n\n00:01.000 --> ', 'SUBTITLES'],
    ['film.srt', '1\r\n00:00:01,000 --> 00:00:02,000\r\nHello', 'SUBTITLES'],
    ['report.docx', 'PK\u0003\u0004 [Content_Types].xml', 'DOCX'],
  ])('%s', (name, content, format) => {
    const head = encode(content)
    expect([name, '', 'download.php', 'a.bak'].map(each => formatOfFile(each, '', head))).toEqual([
      format,
      format,
      format,
      format,
    ])
    const page = formatOfPage(head, 'application/octet-stream', 'https://example.com/download')
    expect(page.format).toBe(format)
  })

  test('a note that begins with the name of a sender is no e-mail', () => {
    expect(formatOfFile('', '', encode('From: Ada\nSubject: the quay\n\nIt opens in May.'))).toBe('TEXT')
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

test('the table of the documents has each format with its endings and its limit', () => {
  const rows = readFileSync(new URL('../README.md', import.meta.url), 'utf8').match(/^\| `[A-Z]+`.* MB \|$/gm)
  const expected = FILE_FORMATS.map(({ id, words, extensions, bytesMax }: FileFormat) => {
    const others = words ? ` (${words.map(word => `\`${word}\``).join(', ')})` : ''
    return `| \`${id}\`${others} | ${extensions.join(', ')} | ${bytesMax / 1024 ** 2} MB |`
  })
  expect([...(rows ?? [])]).toEqual(expected)
})
