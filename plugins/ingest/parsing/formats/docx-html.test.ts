import { describe, expect, test } from 'bun:test'
import { zipSync } from 'fflate'
import { encode, faultOf, textOf, WORD_PARTS, warningsOf, wordBody } from '../fixtures.test-support.ts'

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006'
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const RELATIONS = ['styles', 'numbering']
  .map(name => `<Relationship Id="${name}" Type="${OFFICE}/relationships/${name}" Target="${name}.xml"/>`)
  .join('')

interface Parts {
  readonly styles?: string
  readonly numbering?: string
  readonly fonts?: string
  /** Names of parts that stand in the text. */
  readonly chunks?: readonly string[]
  readonly more?: Readonly<Record<string, Uint8Array>>
}

const docx = (body: string, { styles = '', numbering = '', fonts = '', chunks = [], more = {} }: Parts = {}) =>
  zipSync({
    ...WORD_PARTS,
    ...more,
    'word/fontTable.xml': encode(`<w:fonts ${W}>${fonts}</w:fonts>`),
    'word/_rels/document.xml.rels': encode(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${RELATIONS}${chunks.map(name => `<Relationship Id="${name}" Type="${OFFICE}/relationships/aFChunk" Target="${name}"/>`).join('')}</Relationships>`,
    ),
    'word/styles.xml': encode(`<w:styles ${W}>${styles}</w:styles>`),
    'word/numbering.xml': encode(`<w:numbering ${W}>${numbering}</w:numbering>`),
    'word/document.xml': encode(wordBody(body)),
  })
const read = (body: string, parts?: Parts) => textOf('DOCX', docx(body, parts))
const run = (text: string, properties = '') =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (content: string, properties = '') =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${content}</w:p>`

describe('a Word document', () => {
  test('has the results of its fields, the words under readings, and those that are set in a direction', async () => {
    const field = `${run('Figure ')}<w:fldSimple w:instr=" SEQ Figure ">${run('7')}</w:fldSimple>${run(': a lock')}`
    expect(await read(paragraph(field))).toBe('Figure 7: a lock')
    const ruby = `<w:r><w:ruby><w:rubyPr><w:hps w:val="9"/></w:rubyPr><w:rt>${run('かんじ')}</w:rt><w:rubyBase>${run('漢字')}</w:rubyBase></w:ruby></w:r>`
    expect(await read(paragraph(`${ruby}${run('を読む。')}`))).toBe('漢字を読む。')
    const directed = `<w:bdo w:val="rtl">${run('שלום')}</w:bdo><w:dir w:val="ltr">${run(' and peace')}</w:dir>`
    expect(await read(paragraph(directed))).toBe('שלום and peace')
  })

  test('keeps lines, columns and raised numbers apart', async () => {
    const lines = `${run('one')}<w:r><w:cr/></w:r>${run('two')}<w:r><w:ptab w:relativeTo="margin" w:alignment="right" w:leader="none"/></w:r>${run('three')}`
    expect(await read(paragraph(lines))).toBe('one\ntwo three')
    const raised = `${run('10')}${run('6', '<w:vertAlign w:val="superscript"/>')}${run(' km, x')}${run('2', '<w:vertAlign w:val="subscript"/>')}`
    expect(await read(paragraph(raised))).toBe('10^6 km, x2')
  })

  test('has what somebody chose and ticked', async () => {
    const ticked = (isOn: 0 | 1) =>
      `<w:sdt><w:sdtPr><w:id w:val="1"/><w14:checkbox xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"><w14:checked w14:val="${isOn}"/></w14:checkbox></w:sdtPr><w:sdtContent>${run(isOn ? '☒' : '☐')}</w:sdtContent></w:sdt>`
    expect(await read(paragraph(`${ticked(1)}${run(' yes ')}${ticked(0)}${run(' no')}`))).toBe('[x] yes [ ] no')
    const chosen = (result: string) =>
      `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList>${result}<w:listEntry w:val="Oak"/><w:listEntry w:val="Elm &amp; ash"/></w:ddList></w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`
    expect(await read(paragraph(`${run('Wood: ')}${chosen('<w:result w:val="1"/>')}`))).toBe('Wood: Elm & ash')
    expect(await read(paragraph(`${run('Wood: ')}${chosen('')}`))).toBe('Wood: Oak')
  })

  test('has each text in a drawing once, behind its paragraph', async () => {
    const box = (text: string) => `<w:txbxContent>${paragraph(run(text))}</w:txbxContent>`
    const shape = (text: string) =>
      `<w:drawing><wp:anchor xmlns:wp="a"><wps:wsp xmlns:wps="b">${box(text)}</wps:wsp></wp:anchor></w:drawing>`
    const old = (text: string) =>
      `<w:pict><v:oval xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox>${box(text)}</v:textbox></v:oval></w:pict>`
    const both = (fallback: string) =>
      `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="wps">${shape('in both')}</mc:Choice>${fallback}</mc:AlternateContent>`
    for (const drawing of [
      both(`<mc:Fallback>${old('in both')}</mc:Fallback>`),
      both('<mc:Fallback/>'),
      both(''),
      old('in both'),
      shape('in both'),
    ])
      expect(await read(paragraph(`${run('before ')}<w:r>${drawing}</w:r>${run('after')}`))).toBe(
        'before after\n\nin both',
      )
    const sign = `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="w16se"><w16se:symEx xmlns:w16se="c" w16se:char="1F60A"/></mc:Choice><mc:Fallback><w:t>😊</w:t></mc:Fallback></mc:AlternateContent>`
    expect(await read(paragraph(`${run('well ')}<w:r>${sign}</w:r>`))).toBe('well 😊')
  })

  test('is without hidden letters, by themselves or by their style', async () => {
    const styles = `<w:style w:type="character" w:styleId="A"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:type="character" w:styleId="B"><w:basedOn w:val="A"/></w:style><w:style w:type="paragraph" w:styleId="P"><w:rPr><w:vanish/></w:rPr></w:style>`
    const words = [
      run('shown '),
      run('hidden ', '<w:b/><w:vanish/>'),
      run('kept ', '<w:vanish w:val="0"/>'),
      run('hidden ', '<w:rStyle w:val="B"/>'),
      run('kept ', '<w:rStyle w:val="C"/><w:webHidden/>'),
    ].join('')
    const hidden = paragraph(run('hidden ') + run('but kept', '<w:vanish w:val="false"/>'), '<w:pStyle w:val="P"/>')
    expect(await read(paragraph(words) + hidden + paragraph(run('end')), { styles })).toBe(
      'shown kept kept\n\nbut kept\n\nend',
    )
  })

  test('has its formulas in one line', async () => {
    const M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    const r = (text: string) => `<m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>${text}</m:t></m:r>`
    const formulas = [
      [`${r('E=m')}<m:sSup><m:e>${r('c')}</m:e><m:sup>${r('2')}</m:sup></m:sSup>`, 'E=mc^2'],
      [`<m:f><m:num>${r('a+b')}</m:num><m:den>${r('2')}</m:den></m:f>`, '(a+b)/2'],
      [
        `<m:d><m:e><m:m><m:mPr/><m:mr><m:e>${r('a')}</m:e><m:e>${r('b')}</m:e></m:mr><m:mr><m:e>${r('c')}</m:e><m:e>${r('d')}</m:e></m:mr></m:m></m:e></m:d>`,
        '(a b; c d)',
      ],
      [`<m:rad><m:deg/><m:e>${r('x')}</m:e></m:rad>`, '√x'],
      [
        `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${r('i=1')}</m:sub><m:sup>${r('n')}</m:sup><m:e>${r('i')}</m:e></m:nary>`,
        '∑_(i=1)^n i',
      ],
      [`<m:d><m:e>${r('1&lt;2')}</m:e></m:d>`, '(1<2)'],
      [`<m:func><m:fName>${r('sin')}</m:fName><m:e>${r('x')}</m:e></m:func>`, 'sin x'],
    ] as const
    for (const [formula, line] of formulas) {
      const content = `${run('so ')}<m:oMath ${M}>${formula}</m:oMath>${run(' holds')}`
      expect(await read(paragraph(content))).toBe(`so ${line} holds`)
    }
  })

  test('has formulas that are set apart on lines of their own, and two in a row apart', async () => {
    const M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    const formula = (text: string) => `<m:oMath ${M}><m:r><m:t>${text}</m:t></m:r></m:oMath>`
    const apart = (...texts: string[]) =>
      `<m:oMathPara ${M}><m:oMathParaPr/>${texts.map(formula).join('')}</m:oMathPara>`
    expect(await read(paragraph(apart('E=mc')))).toBe('E=mc')
    expect(await read(paragraph(run('So') + apart('a=b', 'b=c') + run('where a is small.')))).toBe(
      'So\na=b\nb=c\nwhere a is small.',
    )
    expect(await read(paragraph(run('Let ') + formula('x=1') + formula('y=2') + run(', then')))).toBe(
      'Let x=1 y=2, then',
    )
    expect(await read(paragraph(run('before')) + apart('a=b') + paragraph(run('after')))).toBe('before\n\na=b\n\nafter')
  })

  test('has what stands in wrappers that nobody has heard of, around paragraphs, rows, cells and words', async () => {
    const X = 'xmlns:x="urn:of-a-later-version"'
    const cell = (text: string) => `<w:tc>${paragraph(run(text))}</w:tc>`
    const rows = `<w:tr>${cell('Lock')}<x:cell ${X}>${cell('Year')}</x:cell></w:tr><x:row ${X}><x:inner><w:tr>${cell('Old mill')}${cell('1907')}</w:tr></x:inner></x:row>`
    const body = [
      `<x:section ${X}><x:more>${paragraph(run('in two wrappers'))}</x:more></x:section>`,
      paragraph(
        `${run('words ')}<x:mark ${X} x:note="a > b">${run('in one')}</x:mark><w:r><x:emphasis ${X}><w:t> of their own</w:t></x:emphasis></w:r>`,
      ),
      `<w:tbl>${rows}</w:tbl>`,
      `<w:sdt><w:sdtContent><x:section ${X}>${paragraph(run('in a control'))}</x:section></w:sdtContent></w:sdt>`,
    ]
    expect(await read(body.join(''))).toBe(
      'in two wrappers\n\nwords in one of their own\nLock: Old mill; Year: 1907\n\nin a control',
    )
  })

  test('keeps the spaces and lines of code, which is set in letters of one width', async () => {
    const styles = `<w:style w:type="paragraph" w:styleId="Listing"><w:rPr><w:rFonts w:ascii="House Fixed"/></w:rPr></w:style><w:style w:type="character" w:styleId="Verbatim"><w:rPr><w:rFonts w:ascii="Consolas"/></w:rPr></w:style>`
    const fonts = '<w:font w:name="House Fixed"><w:pitch w:val="fixed"/></w:font>'
    const code = 'def area(r):\n    if r < 0:\n        raise ValueError\n    return 3 * r'
    const lines = code.replace('<', '&lt;').split('\n')
    const direct = lines.map(line => paragraph(run(line, '<w:rFonts w:ascii="Courier New"/>'))).join('')
    const byStyle = lines.map(line => paragraph(run(line), '<w:pStyle w:val="Listing"/>')).join('')
    const broken = paragraph(lines.map(line => run(line, '<w:rStyle w:val="Verbatim"/>')).join('<w:r><w:br/></w:r>'))
    for (const content of [direct, byStyle, broken])
      expect(await read(paragraph(run('Before it.')) + content + paragraph(run('Behind it.')), { styles, fonts })).toBe(
        `Before it.\n\n${code}\n\nBehind it.`,
      )
    const typed = 'A letter that was typed goes on and on, as letters do. '.repeat(5).trim()
    expect(await read(paragraph(run(`  ${typed}`, '<w:rFonts w:ascii="Courier New"/>')))).toBe(typed)
  })

  test('has its footnotes and endnotes behind the text, under the numbers that stand in it', async () => {
    const note = (kind: string, id: number, text: string, type = '') =>
      `<w:${kind} w:id="${id}" ${type && `w:type="${type}"`}>${paragraph(run(text))}</w:${kind}>`
    const notes = (kind: string, ...all: string[]) => encode(`<w:${kind}s ${W}>${all.join('')}</w:${kind}s>`)
    const more = {
      'word/footnotes.xml': notes('footnote', note('footnote', 0, '---', 'separator'), note('footnote', 2, 'In May.')),
      'word/endnotes.xml': notes('endnote', note('endnote', 2, 'By the mayor.')),
    }
    const body = paragraph(
      `${run('It was opened')}<w:r><w:endnoteReference w:id="2"/></w:r>${run(' in 1907')}<w:r><w:footnoteReference w:id="2"/></w:r>${run('.')}`,
    )
    expect(await read(body, { more })).toBe('It was opened[1] in 1907[2].\n1. By the mayor.\n2. In May.')
  })

  test('has signs of their own fonts as characters, and what pictures show', async () => {
    const picture = '<a:graphic xmlns:a="a"><a:blip r:embed="r9" xmlns:r="r"/></a:graphic>'
    const drawn = `<w:drawing><wp:inline xmlns:wp="w"><wp:docPr id="1" descr="A lock &amp; its gates"/>${picture}</wp:inline></w:drawing>`
    const sign = '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>'
    expect(await read(paragraph(`${sign}${run(' open')}<w:r>${drawn}</w:r>`))).toBe('✓ open A lock & its gates')
  })

  test('has merged cells in each row, without deleted rows, and headings by the names of styles', async () => {
    const cell = (text: string, properties = '') =>
      `<w:tc>${properties && `<w:tcPr>${properties}</w:tcPr>`}${paragraph(run(text))}</w:tc>`
    const row = (cells: string, properties = '') =>
      `<w:tr>${properties && `<w:trPr>${properties}</w:trPr>`}${cells}</w:tr>`
    const table = [
      row(cell('River') + cell('Lock') + cell('Year'), '<w:tblHeader/>'),
      row(cell('Leie', '<w:vMerge w:val="restart"/>') + cell('Astene') + cell('1860')),
      row(cell('', '<w:vMerge/>') + cell('Harelbeke') + cell('1866')),
      row(cell('Schelde') + cell('Kain') + cell('1867'), '<w:del w:id="1"/>'),
    ]
    const styles = '<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
    const heading = paragraph(run('Locks'), '<w:pStyle w:val="berschrift1"/>')
    expect(await read(`${heading}<w:tbl>${table.join('')}</w:tbl>`, { styles })).toBe(
      'Locks\n\nRiver: Leie; Lock: Astene; Year: 1860\nRiver: Leie; Lock: Harelbeke; Year: 1866',
    )
  })

  test('goes on in the next paragraph where the end of one is deleted', async () => {
    const joined = paragraph(run('The gate '), '<w:rPr><w:del w:id="1"/></w:rPr>') + paragraph(run('is open.'))
    expect(await read(joined)).toBe('The gate is open.')
    expect(await read(paragraph(run('At the end'), '<w:rPr><w:del w:id="1"/></w:rPr>'))).toBe('At the end')
  })

  test('says what it shows that is no text of its own', async () => {
    const chart = '<w:r><w:drawing><c:chart xmlns:c="c"/></w:drawing></w:r>'
    expect(await warningsOf('DOCX', docx(paragraph(run('words') + chart)))).toEqual([
      '1 of its charts, diagrams and parts of other files was left out.',
    ])
    expect(await warningsOf('DOCX', docx(paragraph(run('words'))))).toEqual([])
  })
})

describe('a document within a Word document', () => {
  const inner = docx(paragraph(run('words of another file')))
  const PARTS: Readonly<Record<string, string | Uint8Array>> = {
    'a.htm': '<h1>Locks</h1><p>They were <b>opened</b> in 1907.</p>',
    'b.docx': inner,
    'c.txt': 'plain words',
    'd.mht':
      'MIME-Version: 1.0\nSubject: Bridges\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nPHA+VGhleSB0dXJuLjwvcD4=',
    'e.rtf': '{\\rtf1\\ansi Rich words.\\par}',
    'f.docx': 'no archive',
  }
  const holding = (names: readonly string[], body = '') => {
    const chunks = names.map(name => `<w:altChunk r:id="${name}"><w:altChunkPr/></w:altChunk>`).join('')
    const more = Object.fromEntries(
      Object.entries(PARTS).map(([name, part]) => [`word/${name}`, typeof part === 'string' ? encode(part) : part]),
    )
    const types = new TextDecoder()
      .decode(WORD_PARTS['[Content_Types].xml'])
      .replace('</Types>', '<Default Extension="mht" ContentType="message/rfc822"/></Types>')
    return docx(body + chunks + body, {
      chunks: Object.keys(PARTS),
      more: { ...more, '[Content_Types].xml': encode(types) },
    })
  }

  test('is read in its place, by the reader of its format', async () => {
    const words = paragraph(run('before and after'))
    expect(await textOf('DOCX', holding(['a.htm', 'b.docx', 'c.txt'], words))).toBe(
      'before and after\n\nLocks\n\nThey were opened in 1907.\n\nwords of another file\n\nplain words\n\nbefore and after',
    )
    expect(await textOf('DOCX', holding(['e.rtf']))).toBe('Rich words.')
    expect(await textOf('DOCX', holding(['d.mht']))).toContain('They turn.')
    expect(await warningsOf('DOCX', holding(['a.htm', 'b.docx', 'c.txt'], words))).toEqual([])
  })

  test('that cannot be read, or is missing, is a warning, or the reason where nothing else is there', async () => {
    const words = paragraph(run('words'))
    expect(await warningsOf('DOCX', holding(['f.docx', 'gone.htm'], words))).toEqual([
      expect.stringMatching(/^Its part f\.docx was left out: /),
      expect.stringMatching(/^A part of it is missing/),
    ])
    expect(await faultOf('DOCX', holding(['f.docx']))).toBe('NO_TEXT')
    const cell = `<w:tbl><w:tr><w:tc>${words}<w:altChunk r:id="a.htm"/></w:tc></w:tr></w:tbl>`
    expect(await warningsOf('DOCX', holding([], cell))).toEqual([expect.stringMatching(/^2 of its charts/)])
  })
})

describe('the lists of a Word document', () => {
  const level = (at: number, format: string, text: string, more = '') =>
    `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`
  const numbering = `
    <w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.', '<w:pStyle w:val="Clause"/>')}${level(1, 'lowerLetter', '(%2)')}${level(2, 'lowerRoman', '%1.%2.%3', '<w:isLgl/>')}</w:abstractNum>
    <w:abstractNum w:abstractNumId="1">${level(0, 'bullet', '•')}</w:abstractNum>
    <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
    <w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>`
  const styles = `<w:style w:type="paragraph" w:styleId="Clause"><w:name w:val="heading 2"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style><w:style w:type="paragraph" w:styleId="Points"><w:name w:val="Points"/><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>`
  const item = (text: string, at: number, list = 1) =>
    paragraph(run(text), `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr>`)

  test('have the numbers that Word shows, over what stands between their items', async () => {
    const body = [
      item('one', 0),
      item('one a', 1),
      item('one b', 1),
      item('deep', 2),
      item('two', 0),
      paragraph(run('between')),
      item('three', 0),
      item('three a', 1),
      item('point', 0, 2),
      item('five', 0, 3),
      item('six', 0, 3),
    ].join('')
    expect(await read(body, { numbering, styles })).toBe(
      '1. one\n  - (a) one a\n  - (b) one b\n    - 1.2.1 deep\n2. two\n\nbetween\n3. three\n  - (a) three a\n- point\n5. five\n6. six',
    )
  })

  test('number headings too, and are given by styles', async () => {
    const styled = (text: string, style: string) => paragraph(run(text), `<w:pStyle w:val="${style}"/>`)
    const body =
      styled('Scope', 'Clause') + styled('a point', 'Points') + styled('Terms', 'Clause') + paragraph(run('End of it'))
    expect(await read(body, { numbering, styles })).toBe('1. Scope\n\n- a point\n\n2. Terms\n\nEnd of it')
  })

  test('have tables in the cells of others below the rows of these', async () => {
    const row = (...cells: string[]) => `<w:tr>${cells.map(content => `<w:tc>${content}</w:tc>`).join('')}</w:tr>`
    const table = (...rows: string[]) => `<w:tbl>${rows.join('')}</w:tbl>`
    const said = (text: string) => paragraph(run(text))
    const parts = table(row(said('Part'), said('Length')), row(said('Hull'), said('12')), row(said('Mast'), said('9')))
    const ships = table(
      row(said('Name'), said('Details'), said('Tons')),
      row(said('Leie'), said('Built in 1990') + parts + paragraph(''), said('90')),
      row(said('Dender'), said('Built in 1991'), said('70')),
    )
    expect(await read(ships)).toBe(
      'Name: Leie; Details: Built in 1990; Tons: 90\nPart: Hull; Length: 12\nPart: Mast; Length: 9\nName: Dender; Details: Built in 1991; Tons: 70',
    )
    expect(await read(table(row(said('A margin'), parts + paragraph(''))))).toBe(
      'A margin\nPart: Hull; Length: 12\nPart: Mast; Length: 9',
    )
  })

  test('number the rows of a table by cells that hold nothing else', async () => {
    const row = (...cells: string[]) => `<w:tr>${cells.map(cell => `<w:tc>${cell}</w:tc>`).join('')}</w:tr>`
    const number = '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr></w:p>'
    const rows = ['Locks open', 'Gates close'].map(text => row(number, paragraph(run(text))))
    const table = `<w:tbl>${row(paragraph(run('No.')), paragraph(run('Rule')))}${rows.join('')}</w:tbl>`
    expect(await read(table + number, { numbering, styles })).toBe(
      'No.: 1.; Rule: Locks open\nNo.: 2.; Rule: Gates close',
    )
  })

  test('have no number where the mark of a paragraph or all of its words are deleted', async () => {
    const gone = `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:del w:id="1"><w:r><w:delText>gone</w:delText></w:r></w:del><w:moveFrom w:id="2">${run('moved')}</w:moveFrom></w:p>`
    expect(await read(item('one', 0) + gone + paragraph(run('end')), { numbering, styles })).toBe('1. one\n\nend')
  })
})
