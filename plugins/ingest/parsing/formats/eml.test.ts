import { describe, expect, test } from 'bun:test'
import { zipSync } from 'fflate'
import {
  chunksOfDocument,
  encode,
  faultOf,
  textOf,
  WORD_PARTS,
  warningsOf,
  wordBody,
} from '../fixtures.test-support.ts'

const HEAD =
  'From: =?utf-8?B?QWTDqQ==?= <ada@example.com>\r\nTo: Ben <ben@example.com>\r\nSubject: Harbour =?utf-8?Q?f=C3=BCr?= May\r\nDate: Wed, 01 May 2024 10:00:00 +0200\r\nMIME-Version: 1.0\r\n'
const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64')
const part = (type: string, body: string, ...fields: string[]) =>
  `--b\r\nContent-Type: ${type}\r\n${fields.map(field => `${field}\r\n`).join('')}\r\n${body}\r\n`
const attached = (name: string, type: string, bytes: Uint8Array | string) =>
  part(
    `${type}; name="${name}"`,
    base64(bytes),
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename="${name}"`,
  )
const mixed = (...parts: string[]) =>
  `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('')}--b--\r\n`

describe('an e-mail', () => {
  test('is read with its head, in its encodings, and its text rather than its HTML', async () => {
    const quoted = `${HEAD}Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nThe caf=E9 is at the quay=\r\n of Ghent.\r\n`
    expect(await textOf('EML', quoted)).toBe(
      'Harbour für May\n\nFrom: Adé <ada@example.com>\nTo: Ben <ben@example.com>\nDate: 2024-05-01T08:00:00.000Z\n\nThe café is at the quay of Ghent.',
    )
    const both = mixed(part('text/html', '<p>in <b>HTML</b></p>')).replace('mixed', 'alternative')
    expect(await textOf('EML', both)).toContain('in HTML')
    const text = both.replace('--b\r\n', `${part('text/plain', 'in words')}--b\r\n`)
    expect(await textOf('EML', text)).toContain('in words')
    expect(await textOf('EML', text)).not.toContain('HTML')
  })

  test('has its attachments read by their own formats, other e-mails too, and names what is none', async () => {
    const word = zipSync({
      ...WORD_PARTS,
      'word/document.xml': encode(wordBody('<w:p><w:r><w:t>The plan of the quay.</w:t></w:r></w:p>')),
    })
    const inner = mixed(
      part('text/plain', 'See below.'),
      attached('tons.csv', 'text/csv', 'name,tons\nLeie,90\nDender,70\n'),
    )
    const bytes = mixed(
      part('text/plain', 'Both are attached.'),
      attached('plan.docx', 'application/octet-stream', word),
      part('message/rfc822', inner.replaceAll('--b', '--inner').replace('=b', '=inner')),
      attached('photo.png', 'image/png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47)),
      attached('broken.pdf', 'application/pdf', '%PDF-1.7 nothing'),
    )
    const chunks = await chunksOfDocument('EML', bytes)
    const text = chunks.map(chunk => chunk.text).join('\n\n')
    expect(text).toContain('Attachment: plan.docx\n\nThe plan of the quay.')
    expect(text).toContain('See below.')
    expect(text).toContain('name: Leie; tons: 90')
    expect(await warningsOf('EML', encode(bytes))).toEqual([
      '2 of its attachments could not be read and were left out: photo.png, broken.pdf.',
    ])
  })

  test('that is none, or holds itself again and again, is bounded', async () => {
    expect(await faultOf('EML', 'Some text that is no e-mail.')).toBe('FORMAT_MISMATCH')
    const page = (type: string) =>
      `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n--b\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>A web =C3=A4rchive.</p>\r\n--b--\r\n`
    expect(await textOf('EML', page('text/html; charset="utf-8"'))).toBe('A web ärchive.')
    expect(await faultOf('EML', page('image/png'))).toBe('FORMAT_MISMATCH')
    let deep = mixed(part('text/plain', 'the innermost'))
    for (let n = 0; n < 9; n++)
      deep = mixed(part('text/plain', `level ${n}`), attached('a.eml', 'message/rfc822', deep))
    expect(await textOf('EML', deep)).not.toContain('innermost')
    expect((await warningsOf('EML', encode(deep)))?.join()).toContain('a.eml')
  })
})
