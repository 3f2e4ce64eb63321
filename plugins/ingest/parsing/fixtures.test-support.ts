import { type Chunk, ReadingError } from '../document/document.ts'
import type { Format, SourceDocument } from '../formats.ts'
import { PARSING_LIMITS, type ParsingLimits } from './limits.ts'
import { readTask } from './read-task.ts'

export const encode = (text: string) => new TextEncoder().encode(text)

/** The chunks of a document, read in this thread: to start one for each of hundreds of documents would take most of the time. */
export async function chunksOfDocument(
  format: Format,
  content: string | Uint8Array,
  options: Partial<SourceDocument> = {},
  limits: Partial<ParsingLimits> = {},
): Promise<Chunk[]> {
  const bytes = typeof content === 'string' ? encode(content) : content
  const chunks: Chunk[] = []
  const document = { bytes, format, name: 'a document', ...options }
  await readTask({ document, limits: { ...PARSING_LIMITS, ...limits } }, async part => void chunks.push(...part))
  return chunks
}

export async function textOf(
  format: Format,
  content: string | Uint8Array,
  options?: Partial<SourceDocument>,
): Promise<string> {
  return (await chunksOfDocument(format, content, options)).map(({ text }) => text).join('\n\n')
}

/** The warnings of a job whose document is read in part. */
export async function warningsOf(
  format: Format,
  bytes: Uint8Array,
  options: Partial<SourceDocument> = {},
): Promise<readonly string[] | undefined> {
  const document = { bytes, format, name: 'a document', ...options }
  return (await readTask({ document, limits: PARSING_LIMITS }, async () => undefined)).warnings
}

/** The code with which a document is refused, after a look at its sentence. */
export async function faultOf(
  format: Format,
  content: string | Uint8Array,
  limits?: Partial<ParsingLimits>,
): Promise<string | undefined> {
  try {
    await chunksOfDocument(format, content, {}, limits)
    return undefined
  } catch (error) {
    if (error instanceof ReadingError && /^[A-Z].{10,}\.$/s.test(error.message)) return error.code
    throw error
  }
}

/** A PDF of objects, without its table of places, which readers make up for. */
export function rawPdf(objects: readonly string[], trailer = ''): Uint8Array {
  const body = objects.map((object, n) => `${n + 1} 0 obj\n${object}\nendobj\n`).join('')
  return encode(`%PDF-1.7\n${body}trailer\n<</Root 1 0 R/Size ${objects.length + 1}${trailer}>>\n%%EOF`)
}

/** A page with lines of text, from the top. */
export function pdfPages(pages: readonly (readonly string[])[]): Uint8Array {
  const kids = pages.map((_, n) => `${4 + n * 2} 0 R`).join(' ')
  const contents = pages.flatMap((lines, n) => {
    const stream = `BT /F1 11 Tf 14 TL 60 780 Td ${lines.map(line => `(${line}) Tj T*`).join(' ')} ET`
    return [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents ${5 + n * 2} 0 R>>`,
      streamOf(stream),
    ]
  })
  return rawPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    ...contents,
  ])
}

/** A PDF with one line of signs, from the left, each with the text that the font says it stands for. */
export function pdfOfSigns(signs: readonly string[]): Uint8Array {
  const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0')
  const code = (n: number) => hex(33 + n, 2)
  const unicode = (sign: string) => sign.replace(/./gsu, letter => hex(letter.codePointAt(0) ?? 0, 4))
  const map = [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Signs def /CMapType 2 def',
    '1 begincodespacerange <00><FF> endcodespacerange',
    `${signs.length} beginbfchar ${signs.map((sign, n) => `<${code(n)}><${unicode(sign)}>`).join(' ')} endbfchar`,
    'endcmap end end',
  ].join(' ')
  const text = `BT /F1 11 Tf 60 780 Td <${signs.map((_, n) => code(n)).join('')}> Tj ET`
  return rawPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[4 0 R]/Count 1>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents 5 0 R>>',
    streamOf(text),
    streamOf(map),
  ])
}

/** A PDF with one line in a font of Adobe's for Chinese, Japanese or Korean that is not in it, as codes in an encoding of such fonts. */
export function pdfInCMap(encoding: string, ordering: string, codes: string): Uint8Array {
  const text = `BT /F1 11 Tf 60 780 Td <${codes}> Tj ET`
  return rawPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[4 0 R]/Count 1>>',
    `<</Type/Font/Subtype/Type0/BaseFont/Font/Encoding/${encoding}/DescendantFonts[6 0 R]>>`,
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents 5 0 R>>',
    streamOf(text),
    `<</Type/Font/Subtype/CIDFontType0/BaseFont/Font/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 2>>>>`,
  ])
}

/** A PDF of pages with these operators, which may use the picture `I1`, the font `F1` and the font `F2`, which does not tell its letters. */
export function pdfOfOperators(pages: readonly string[]): Uint8Array {
  const kids = pages.map((_, n) => `${6 + n * 2} 0 R`).join(' ')
  const resources = '<</Font<</F1 3 0 R/F2 5 0 R>>/XObject<</I1 4 0 R>>>>'
  return rawPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    '<</Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/Length 1>>\nstream\n0\nendstream',
    '<</Type/Font/Subtype/Type0/BaseFont/Font/Encoding/None-Such-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/Font>>]>>',
    ...pages.flatMap((operators, n) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources ${resources}/Contents ${7 + n * 2} 0 R>>`,
      streamOf(operators),
    ]),
  ])
}

/** A PDF with a page of these operators, on which there are these annotations; widgets are fields of its form. */
export function pdfOfAnnotations(operators: string, annotations: readonly string[]): Uint8Array {
  const references = annotations.map((_, n) => `${6 + n} 0 R`).join(' ')
  return rawPdf([
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${references}]>>>>`,
    '<</Type/Pages/Kids[4 0 R]/Count 1>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents 5 0 R/Annots[${references}]>>`,
    streamOf(operators),
    ...annotations.map(annotation => `<</Type/Annot${annotation}>>`),
  ])
}

/** A form that viewers lay out when they open it (XFA): what stands on its one page, and the values of its fields. */
export function pdfOfLayoutForm(content: string, values: string): Uint8Array {
  const form = `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template xmlns="http://www.xfa.org/schema/xfa-template/3.3/">
    <subform name="form" layout="tb"><pageSet><pageArea name="Page" id="Page"><contentArea w="8in" h="10in"/>
    <medium stock="default" short="8.5in" long="11in"/></pageArea></pageSet>
    <subform name="page" w="8in" h="10in" layout="position">${content}</subform></subform></template>
    <xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data>${values}</xfa:data></xfa:datasets></xdp:xdp>`
  return rawPdf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</XFA 6 0 R/Fields[]>>/NeedsRendering true>>',
    '<</Type/Pages/Kids[4 0 R]/Count 1>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents 5 0 R>>',
    streamOf('BT /F1 11 Tf 60 780 Td (Please wait... Your viewer cannot show this document.) Tj ET'),
    streamOf(form),
  ])
}

const OFFICE = 'http://schemas.openxmlformats.org'
/** The parts that a Word document has beside its text. */
export const WORD_PARTS = {
  '[Content_Types].xml': encode(
    `<Types xmlns="${OFFICE}/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
  ),
  '_rels/.rels': encode(
    `<Relationships xmlns="${OFFICE}/package/2006/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
  ),
}

/** The text of a Word document with this in its body. */
export function wordBody(xml: string): string {
  return `<w:document xmlns:w="${OFFICE}/wordprocessingml/2006/main"><w:body>${xml}</w:body></w:document>`
}

/** The text of a Word document of short paragraphs. */
export function wordDocument(paragraphs: number): string {
  const texts = Array.from({ length: paragraphs }, (_, n) => `<w:p><w:r><w:t>Ghent ${n}</w:t></w:r></w:p>`)
  return wordBody(texts.join(''))
}

function streamOf(content: string): string {
  return `<</Length ${content.length}>>\nstream\n${content}\nendstream`
}
