import { describe, expect, test } from 'bun:test'
import { strToU8, zipSync } from 'fflate'
import type { Format } from '../../formats.ts'
import { chunksOfDocument, faultOf, textOf, warningsOf } from '../fixtures.test-support.ts'
import { lyingZip } from './zip.test-support.ts'

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** An archive of these parts; a part's relations are given by their ids, kinds and targets. */
function archive(parts: Record<string, string>, relations: Record<string, readonly (readonly string[])[]> = {}) {
  const all: Record<string, Uint8Array> = {}
  for (const [name, text] of Object.entries(parts)) all[name] = strToU8(text)
  for (const [name, list] of Object.entries(relations)) {
    const at = name.lastIndexOf('/') + 1
    const rows = list.map(
      ([id, kind, target]) => `<Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="${target}"/>`,
    )
    all[`${name.slice(0, at)}_rels/${name.slice(at)}.rels`] = strToU8(`<Relationships>${rows.join('')}</Relationships>`)
  }
  return zipSync(all)
}

const cell = (at: string, value: string | number, attributes = '') => `<c r="${at}" ${attributes}><v>${value}</v></c>`
const sheet = (...rows: string[]) =>
  `<worksheet><sheetData>${rows.map(row => `<row>${row}</row>`).join('')}</sheetData></worksheet>`

/** A workbook with a sheet of ships, which has all kinds of cells, one of towns, and one that is hidden. */
function workbook(sheets: Record<string, string> = {}): Uint8Array {
  return archive(
    {
      'xl/workbook.xml':
        '<workbook xmlns:r="r"><sheets><sheet name="Ships" r:id="r1"/><sheet name="Towns" r:id="r2"/><sheet name="Old" state="hidden" r:id="r3"/></sheets></workbook>',
      'xl/sharedStrings.xml':
        '<sst><si><t>Name</t></si><si><r><t>Lei</t></r><r><t>e</t></r><rPh><t>ライエ</t></rPh></si><si><t>Built</t></si></sst>',
      'xl/styles.xml':
        '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="#,##0.00\\ [$€-1]"/></numFmts><cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="164"/><xf numFmtId="22"/></cellXfs></styleSheet>',
      'xl/worksheets/one.xml': sheet(
        cell('A1', 0, 't="s"') +
          cell('B1', 2, 't="s"') +
          '<c r="C1" t="inlineStr"><is><t>Share</t></is></c><c r="D1" t="str"><v>Price</v></c><c r="F1" t="str"><v>Seen</v></c>',
        cell('A2', 1, 't="s"') +
          cell('B2', 45413, 's="1"') +
          cell('C2', 0.256, 's="2"') +
          cell('D2', 1234.5, 's="3"') +
          '<c r="F2" s="4"><f>B2+0.75</f><v>45413.75</v></c>',
        '<c r="A3" t="str"><v>Dender</v></c><c r="B3" s="1"><v>45500</v></c><c r="C3"><f>1/3</f></c>',
      ),
      'xl/worksheets/two.xml': sheet('<c t="str"><v>Ghent</v></c><c t="b"><v>1</v></c><c><v>12345678901</v></c>'),
      'xl/worksheets/old.xml': sheet('<c t="str"><v>secret</v></c>'),
      ...sheets,
    },
    {
      '': [['r1', 'officeDocument', 'xl/workbook.xml']],
      'xl/workbook.xml': [
        ['r1', 'worksheet', 'worksheets/one.xml'],
        ['r2', 'worksheet', '/xl/worksheets/two.xml'],
        ['r3', 'worksheet', 'worksheets/old.xml'],
        ['r4', 'sharedStrings', 'sharedStrings.xml'],
        ['r5', 'styles', 'styles.xml'],
      ],
    },
  )
}

describe('a workbook', () => {
  test('is read by its rows with the names of their columns, dates as dates and formulas by their values', async () => {
    const text = await textOf('XLSX', workbook())
    expect(text).toContain('Name: Leie; Built: 2024-05-01; Share: 25.60%; Price: 1,234.50 €; Seen: 2024-05-01 18:00')
    expect(text).toContain('Name: Dender; Built: 2024-07-27')
    expect(text).toMatch(/Towns\n\nGhent, TRUE, 12345678901|Towns\n\n.*Ghent.*TRUE.*12345678901/)
    expect(text).not.toMatch(/secret|ライエ/)
    expect(await warningsOf('XLSX', workbook())).toEqual([
      '1 hidden sheet was left out.',
      '1 formula has no value in the file and was left out: open it in Excel, save it and send it again.',
    ])
  })

  test('may count its days from 1904, and have cells and rows far from each other', async () => {
    const main =
      '<workbook xmlns:rel="r"><workbookPr date1904="1"/><sheets><sheet name="Ships" rel:id="r1"/></sheets></workbook>'
    const far = sheet(
      '<c r="A1" t="str"><v>day</v></c><c r="XFD1" t="str"><v>what</v></c>',
      `${cell('A9', 43951, 's="1"')}<c r="XFD9" t="str"><v>sailed</v></c>`,
    )
    const text = await textOf('XLSX', workbook({ 'xl/workbook.xml': main, 'xl/worksheets/one.xml': far }))
    expect(text).toBe('day: 2024-05-01; what: sailed')
  })

  const word = (at: string, value: string) => cell(at, value, 't="str"')
  const readSheet = (content: string, parts: Record<string, string> = {}) =>
    textOf(
      'XLSX',
      workbook({
        'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="Ships" r:id="r1"/></sheets></workbook>',
        'xl/worksheets/one.xml': content,
        ...parts,
      }),
    )
  const merged = (rows: readonly string[], ...ranges: string[]) =>
    `<worksheet><sheetData>${rows.map((row, n) => `<row r="${n + 1}">${row}</row>`).join('')}</sheetData><mergeCells>${ranges.map(range => `<mergeCell ref="${range}"/>`).join('')}</mergeCells></worksheet>`

  test('has cells that are merged over names of columns, or over rows, in each of them', async () => {
    const quarters = [
      word('A1', 'Harbours'),
      word('B2', '2025') + word('D2', '2026'),
      word('A3', 'Branch') + word('B3', 'Q1') + word('C3', 'Q2') + word('D3', 'Q1') + word('E3', 'Q2'),
      word('A4', 'Kiel') + cell('B4', 1) + cell('C4', 2) + cell('D4', 3) + cell('E4', 4),
    ]
    expect(await readSheet(merged(quarters, 'A1:E1', 'B2:C2', 'D2:E2'))).toBe(
      'Harbours\nBranch: Kiel; 2025 Q1: 1; 2025 Q2: 2; 2026 Q1: 3; 2026 Q2: 4',
    )
    const places = [
      word('A1', 'Part') + word('B1', 'Place') + word('C1', 'Count'),
      word('A2', 'Screw') + word('B2', 'Shelf') + cell('C2', 12),
      word('A3', 'Nut') + cell('C3', 15),
      word('A4', 'Total') + cell('C4', 27),
    ]
    expect(await readSheet(merged(places, 'B2:B3', 'A4:B4'))).toBe(
      'Part: Screw; Place: Shelf; Count: 12\nPart: Nut; Place: Shelf; Count: 15\nPart: Total; Count: 27',
    )
    const form = [word('A1', 'Tenant') + word('C1', 'Aylin Demir'), word('A2', 'Rent') + word('C2', '940 EUR')]
    expect(await readSheet(merged(form, 'A1:B1', 'C1:D1', 'A2:B2', 'C2:D2'))).toBe('Tenant: Aylin Demir\nRent: 940 EUR')
  })

  test('shows numbers with the zeros of their format, begins tables anew, and has the text of its boxes', async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="00000"/><numFmt numFmtId="165" formatCode="000-000-000"/></numFmts><cellXfs><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>'
    const content = `<worksheet><sheetData><row r="1">${word('A1', 'Name')}${word('B1', 'Age')}</row><row r="2">${word('A2', 'Ida')}<c r="B2" s="9"><v>31</v></c></row><row r="4">${word('A4', 'Town')}${word('B4', 'Land')}${word('C4', 'Code')}${word('D4', 'Phone')}</row><row r="5">${word('A5', 'Bergen')}${word('B5', 'NO')}${cell('C5', 5003, 's="0"')}${cell('D5', 493012, 's="1"')}</row></sheetData></worksheet>`
    const box = `<xdr:wsDr><xdr:sp><xdr:txBody>${paragraph('Ask Ada.')}</xdr:txBody></xdr:sp></xdr:wsDr>`
    const relations = `<Relationships><Relationship Id="d" Type="${RELATIONS}/drawing" Target="../drawings/d.xml"/></Relationships>`
    const parts = {
      'xl/styles.xml': styles,
      'xl/drawings/d.xml': box,
      'xl/worksheets/_rels/one.xml.rels': relations,
    }
    expect(await readSheet(content, parts)).toBe(
      'Name: Ida; Age: 31\nTown: Bergen; Land: NO; Code: 05003; Phone: 000-493-012\n\nAsk Ada.',
    )
    expect(await readSheet('<worksheet/>', parts)).toBe('Ask Ada.')
  })

  test('has tables that stand side by side one after the other, and what people noted on its cells', async () => {
    const at = (place: string, value: string | number) =>
      typeof value === 'number' ? cell(place, value) : word(place, value)
    const towns = [
      ['Town', 'Tolls'],
      ['Ghent', 12],
      ['Bruges', 15],
    ] as const
    const ships = [
      ['Ship', 'Tons'],
      ['Leie', 90],
      ['Dender', 70],
      ['Schelde', 80],
    ] as const
    const both = (right: readonly (readonly [string, string | number])[]) => {
      const rows = right.map(([name, value], n) => {
        const [town, tolls] = towns[n] ?? []
        const left = town === undefined ? '' : at(`A${n + 1}`, town) + at(`B${n + 1}`, tolls ?? '')
        return left + at(`E${n + 1}`, name) + at(`F${n + 1}`, value)
      })
      return merged(rows)
    }
    const apart = 'Town: Ghent; Tolls: 12\nTown: Bruges; Tolls: 15\nShip: Leie; Tons: 90\nShip: Dender; Tons: 70'
    expect(await readSheet(both(ships))).toBe(`${apart}\nShip: Schelde; Tons: 80`)
    expect(await readSheet(both(ships.slice(0, 3)))).toBe(apart)
    // An empty column alone divides nothing: these are the years of the towns.
    expect(
      await readSheet(
        both([
          ['2024', '2025'],
          ['3', '4'],
          ['5', '6'],
        ]),
      ),
    ).toBe('Town: Ghent; Tolls: 12; 2024: 3; 2025: 4\nTown: Bruges; Tolls: 15; 2024: 5; 2025: 6')
    const relations = `<Relationships><Relationship Id="c" Type="${RELATIONS}/comments" Target="../comments1.xml"/><Relationship Id="t" Type="http://schemas.microsoft.com/office/2017/10/relationships/threadedComment" Target="../threads.xml"/></Relationships>`
    const comment = (at: string, text: string) => `<comment ref="${at}"><text><r><t>${text}</t></r></text></comment>`
    const noted = await readSheet(both(ships.slice(0, 3)), {
      'xl/worksheets/_rels/one.xml.rels': relations,
      'xl/comments1.xml': `<comments><commentList>${comment('F2', 'Weighed in May')}${comment('A3', '[Threaded comment]')}</commentList></comments>`,
      'xl/threads.xml':
        '<ThreadedComments><threadedComment ref="A3"><text>Ask Ada</text></threadedComment><threadedComment ref="A3"><text>Asked</text></threadedComment></ThreadedComments>',
    })
    expect(noted).toBe(`${apart}\n\nComment on A3 (Bruges): Ask Ada\nAsked\n\nComment on F2 (Leie, 90): Weighed in May`)
  })

  test('that is none, or unpacks to too much, says so', async () => {
    const slides = archive(
      { 'ppt/presentation.xml': '<p/>' },
      { '': [['r1', 'officeDocument', 'ppt/presentation.xml']] },
    )
    expect(await faultOf('XLSX', slides)).toBe('FORMAT_MISMATCH')
    expect(await faultOf('XLSX', 'Name;Built')).toBe('FORMAT_MISMATCH')
    const bomb = workbook({ 'xl/worksheets/one.xml': sheet(' '.repeat(3_000_000)) })
    expect(await faultOf('XLSX', bomb, { decompressedBytes: 1_000_000 })).toBe('LIMIT_EXCEEDED')
    expect(await faultOf('XLSX', workbook().slice(0, 900))).toBe('CORRUPT_FILE')
  })

  test('that is made to fill a memory is refused by what it says of itself, by its ratio, or as it is read', async () => {
    const holding = (content: string) => workbook({ 'xl/worksheets/one.xml': content })
    const huge = holding(sheet(`<c t="str"><v>${'word '.repeat(2_000_000)}</v></c>`))
    expect(huge.byteLength).toBeLessThan(40_000)
    expect(await faultOf('XLSX', huge)).toBe('LIMIT_EXCEEDED')
    // Its parts are larger than they say, which shows as they are unpacked.
    expect(await faultOf('XLSX', lyingZip(huge))).toBe('CORRUPT_FILE')
    expect(await faultOf('XLSX', holding(sheet(`<c t="str"><v>${'word '.repeat(250_000)}</v></c>`)))).toBe(
      'LIMIT_EXCEEDED',
    )
    expect(await faultOf('XLSX', holding('<row>'.repeat(300)))).toBe('LIMIT_EXCEEDED')
    const rows = Array.from({ length: 2000 }, () => cell('A1', 1) + cell('B1', 2))
    const overlapping = Array.from({ length: 600 }, () => 'A1:XFD1048576')
    expect(await faultOf('XLSX', holding(merged(rows, ...overlapping)))).toBe('LIMIT_EXCEEDED')
  })
})

const paragraph = (text: string, level = 0) => `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${text}</a:t></a:r></a:p>`
const shape = (place: string, ...paragraphs: string[]) =>
  `<p:sp><p:nvSpPr><p:nvPr>${place ? `<p:ph type="${place}"/>` : ''}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs.join('')}</p:txBody></p:sp>`

test('a presentation is read slide by slide in its order, with titles, tables and notes', async () => {
  const row = (...cells: string[]) =>
    `<a:tr>${cells.map(text => `<a:tc><a:txBody>${paragraph(text)}</a:txBody></a:tc>`).join('')}</a:tr>`
  const bytes = archive(
    {
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId r:id="r2"/><p:sldId r:id="r1"/><p:sldId r:id="r3"/></p:sldIdLst></p:presentation>',
      'ppt/slides/slide1.xml': `<p:sld>${shape('', paragraph('Ships of 2024'), paragraph('Leie', 1))}${shape('sldNum', paragraph('2'))}<a:tbl>${row('Name', 'Tons')}${row('Leie', '90')}${row('Dender', '70')}</a:tbl></p:sld>`,
      'ppt/slides/slide2.xml': `<p:sld>${shape('', paragraph('A talk'))}${shape('ctrTitle', paragraph('Harbours'))}<mc:Fallback>${shape('', paragraph('twice'))}</mc:Fallback></p:sld>`,
      'ppt/slides/slide3.xml': `<p:sld show="0">${shape('', paragraph('withdrawn'))}</p:sld>`,
      'ppt/notesSlides/n1.xml': `<p:notes>${shape('body', paragraph('Ask Ada about it.'))}</p:notes>`,
    },
    {
      '': [['r1', 'officeDocument', 'ppt/presentation.xml']],
      'ppt/presentation.xml': [1, 2, 3].map(n => [`r${n}`, 'slide', `slides/slide${n}.xml`]),
      'ppt/slides/slide1.xml': [
        ['r1', 'notesSlide', '../notesSlides/n1.xml'],
        ['r2', 'chart', '../charts/c.xml'],
      ],
    },
  )
  const chunks = await chunksOfDocument('PPTX', bytes)
  expect(chunks.map(({ text }) => text).join('\n\n')).toBe(
    'Harbours\n\nA talk\n\nSlide 2\n\nShips of 2024\n  - Leie\nName: Leie; Tons: 90\nName: Dender; Tons: 70\n\nNotes\n\nAsk Ada about it.',
  )
  expect(chunks[0]?.page).toBe(1)
  expect(await warningsOf('PPTX', bytes)).toEqual(['1 hidden slide was left out.', '1 of its charts was left out.'])
})

test('a presentation without text holds none, and slides without any add nothing', async () => {
  const slides = (...contents: string[]) =>
    archive(
      {
        'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${contents.map((_, n) => `<p:sldId r:id="r${n}"/>`).join('')}</p:sldIdLst></p:presentation>`,
        ...Object.fromEntries(contents.map((content, n) => [`ppt/slides/s${n}.xml`, `<p:sld>${content}</p:sld>`])),
      },
      {
        '': [['r1', 'officeDocument', 'ppt/presentation.xml']],
        'ppt/presentation.xml': contents.map((_, n) => [`r${n}`, 'slide', `slides/s${n}.xml`]),
      },
    )
  expect(await faultOf('PPTX', slides('<p:pic/>'))).toBe('NO_TEXT')
  expect(await faultOf('PPTX', slides('', shape('sldNum', paragraph('2'))))).toBe('NO_TEXT')
  expect(
    await textOf('PPTX', slides('<p:pic/>', shape('', paragraph('A quay')), shape('title', paragraph('End')))),
  ).toBe('Slide 2\n\nA quay\n\nEnd')
})

describe('a book', () => {
  const parts = {
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    'OEBPS/book.opf': `<package xmlns:dc="d"><metadata><dc:title>Harbours &amp; Ships</dc:title></metadata><manifest>
      <item id="b" href="two%20b.xhtml" media-type="application/xhtml+xml"/><item id="a" href="one.xhtml" media-type="application/xhtml+xml"/>
      <item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/></manifest>
      <spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>`,
    'OEBPS/one.xhtml': '<html><body><h1>One</h1><p>It began in Ghent.</p></body></html>',
    'OEBPS/two b.xhtml': '<html><body><h1>Two</h1><p>It ended in Bruges.</p></body></html>',
    'OEBPS/nav.xhtml': '<html><body><p>Contents</p></body></html>',
  }

  test('is read chapter by chapter in the order of its spine', async () => {
    const text = await textOf('EPUB', archive(parts))
    expect(text).toBe('One\n\nIt began in Ghent.\n\nTwo\n\nIt ended in Bruges.')
  })

  test('that only certain programs can open says so, one whose fonts are obscured is read', async () => {
    const locked = (path: string) => ({
      ...parts,
      'META-INF/encryption.xml': `<encryption><enc:CipherReference URI="${path}"/></encryption>`,
    })
    expect(await faultOf('EPUB', archive(locked('OEBPS/one.xhtml')))).toBe('PASSWORD_PROTECTED')
    expect(await faultOf('EPUB', archive(locked('OEBPS/font.otf')))).toBeUndefined()
  })

  test.each<[Format]>([['EPUB'], ['PPTX'], ['XLSX']])('that is another archive is no %s', async format => {
    expect(await faultOf(format, archive({ 'a.txt': 'a' }))).toBe('FORMAT_MISMATCH')
  })
})
