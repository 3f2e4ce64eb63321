import { describe, expect, test } from 'bun:test'
import { pdfOfAnnotations, textOf } from '../fixtures.test-support.ts'

const field = (name: string, rect: string, more: string) =>
  `/Subtype/Widget/T(${name})/Rect[${rect}]/DA(/F1 10 Tf)${more}`
const text = (name: string, rect: string, value: string, more = '') => field(name, rect, `/FT/Tx/V(${value})${more}`)
const box = (name: string, rect: string, state: string) =>
  field(name, rect, `/FT/Btn/V/${state}/AS/${state}/AP<</N<</Yes null/Off null>>>>`)

async function linesRead(operators: string, annotations: readonly string[]): Promise<string[]> {
  const read = await textOf('PDF', pdfOfAnnotations(`BT /F1 11 Tf ${operators} ET`, annotations))
  return read.split('\n').filter(line => line.trim())
}

const at = (x: number, y: number, words: string) => `1 0 0 1 ${x} ${y} Tm (${words}) Tj`

describe('what was written onto a PDF', () => {
  test('is read behind what is printed before it, whatever the order of its fields', async () => {
    const printed = at(60, 700, 'Name:') + at(60, 660, 'Town:') + at(60, 620, 'Read and signed.')
    const fields = [text('town', '100 655 300 671', 'Ghent'), text('name', '100 695 300 711', 'Ada de Wit')]
    expect((await linesRead(printed, fields)).join(' ')).toBe('Name: Ada de Wit Town: Ghent Read and signed.')
  })

  test('is read below what is printed above it', async () => {
    const printed = at(60, 700, 'First name') + at(300, 700, 'Last name') + at(60, 600, 'Read and signed.')
    const fields = [text('last', '300 675 500 692', 'de Wit'), text('first', '60 675 260 692', 'Ada')]
    const read = (await linesRead(printed, fields)).join(' ')
    expect(read.indexOf('Ada')).toBeGreaterThan(read.indexOf('First name'))
    expect(read.indexOf('Ada')).toBeLessThan(read.indexOf('Read'))
    expect(read.indexOf('de Wit')).toBeGreaterThan(read.indexOf('Last name'))
  })

  test('tells which boxes are ticked, beside the words of each', async () => {
    const printed = at(80, 700, 'single') + at(180, 700, 'married')
    const fields = [box('a', '60 697 72 709', 'Off'), box('b', '160 697 172 709', 'Yes')]
    expect((await linesRead(printed, fields)).join(' ')).toBe('[ ] single; [x] married')
  })

  test('tells a choice by its name', async () => {
    const choice = field('land', '110 695 300 711', '/FT/Ch/Ff 131072/V(be)/Opt[[(nl)(Netherlands)][(be)(Belgium)]]')
    expect((await linesRead(at(60, 700, 'Country:'), [choice])).join(' ')).toBe('Country: Belgium')
  })

  test('may be a text of its own, whose lines stay together', async () => {
    const note = '/Subtype/FreeText/Rect[110 655 300 711]/DA(/F1 10 Tf)/Contents(Rue Haute 3\\n1000 Brussels)'
    const read = await linesRead(at(60, 700, 'Address:') + at(60, 640, 'Read and signed.'), [note])
    expect(read.join(' ')).toBe('Address: Rue Haute 3 1000 Brussels Read and signed.')
  })

  test('leaves out passwords, fields that nobody sees, and notes that are not on the page', async () => {
    const secret = text('password', '100 695 300 711', 'hunter2', '/Ff 8192')
    const hidden = text('hidden', '100 655 300 671', 'internal', '/F 2')
    const unviewed = text('unviewed', '100 655 300 671', 'internal', '/F 32')
    const link = '/Subtype/Link/Rect[100 615 300 631]/Contents(a link)'
    expect(await linesRead(at(60, 700, 'Password:'), [secret, hidden, unviewed, link])).toEqual(['Password:'])
  })

  test('is all there is of a form on a picture', async () => {
    expect(await linesRead('', [text('name', '100 695 300 711', 'Ada de Wit')])).toEqual(['Ada de Wit'])
  })
})
