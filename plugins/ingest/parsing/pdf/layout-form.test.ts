import { expect, test } from 'bun:test'
import { encode, faultOf, pdfOfLayoutForm, textOf } from '../fixtures.test-support.ts'

const at = (place: number) => `x="10mm" y="${place * 10}mm" w="150mm" h="9mm"`
const text = (words: string) => `<value><text>${words}</text></value>`
const caption = (words: string) => `<caption reserve="40mm">${text(words)}</caption>`
const field = (place: number, name: string, ui: string, more: string) =>
  `<field name="${name}" ${at(place)}><ui>${ui}</ui>${more}</field>`
const written = (place: number, name: string, label: string, ui = '<textEdit/>') =>
  field(place, name, ui, caption(label))

async function linesRead(content: readonly string[], values: string): Promise<string[]> {
  const read = await textOf('PDF', pdfOfLayoutForm(content.join(''), `<form><page>${values}</page></form>`))
  return read.split('\n').filter(Boolean)
}

test('a form that its viewer lays out is read as it is shown, and its request to wait is not', async () => {
  const title = `<draw ${at(0)}><ui><textEdit/></ui>${text('Request for a permit')}</draw>`
  const content = [
    title,
    written(1, 'Family', 'Family name'),
    written(2, 'Why', 'Reasons?', '<textEdit multiLine="1"/>'),
    written(3, 'Empty', 'Second nationality'),
  ]
  expect(await linesRead(content, '<Family>Lovelace</Family><Why>To study.\nTo work.</Why>')).toEqual([
    'Request for a permit',
    'Family name: Lovelace',
    'Reasons? To study. To work.',
    'Second nationality',
  ])
})

test('what was ticked and chosen in it is read by its names', async () => {
  const box = (place: number, name: string) =>
    field(place, name, '<checkButton/>', `${caption(name)}<items><integer>1</integer><integer>0</integer></items>`)
  const countries = '<text>Belgium</text><text>Netherlands</text>'
  const choice = `${caption('Country')}<items>${countries}</items><items save="1" presence="hidden"><text>be</text><text>nl</text></items>`
  const content = [box(1, 'Married'), box(2, 'Employed'), field(3, 'Country', '<choiceList/>', choice)]
  expect(await linesRead(content, '<Married>1</Married><Employed>0</Employed><Country>nl</Country>')).toEqual([
    '[x] Married',
    '[ ] Employed',
    'Country: Netherlands',
  ])
})

test('paragraphs of formatted text in it stay apart, and their words together', async () => {
  const html =
    '<body xmlns="http://www.w3.org/1999/xhtml"><p>I declare that <b>all</b> of it is tr<i>ue</i>.</p><p>Signed below.</p></body>'
  const content = [
    `<draw ${at(1)}><ui><textEdit/></ui><value><exData contentType="text/html">${html}</exData></value></draw>`,
  ]
  expect(await linesRead(content, '')).toEqual(['I declare that all of it is true.', 'Signed below.'])
})

test('a field without a printed label has the one that is read aloud; passwords, buttons and hidden fields are left out', async () => {
  const content = [
    field(1, 'Town', '<textEdit/>', '<assist><speak>Place of birth</speak></assist>'),
    written(2, 'Secret', 'Password', '<passwordEdit/>'),
    written(3, 'Send', 'Send', '<button/>'),
    written(4, 'Internal', 'Internal').replace('<field', '<field presence="hidden"'),
  ]
  const values = '<Town>Ghent</Town><Secret>hunter2</Secret><Internal>for clerks</Internal>'
  expect(await linesRead(content, values)).toEqual(['Place of birth: Ghent'])
})

test('a form without any text is refused', async () => {
  expect(await faultOf('PDF', pdfOfLayoutForm('', ''))).toBe('NO_TEXT')
})

test('a form that its viewer need not lay out is read by its own pages', async () => {
  const form = pdfOfLayoutForm(written(1, 'Town', 'Place of birth'), '')
  const laidOut = encode(new TextDecoder().decode(form).replace('/NeedsRendering true', ''))
  expect(await textOf('PDF', laidOut)).toBe('Please wait... Your viewer cannot show this document.')
})
