import { describe, expect, test } from 'bun:test'
import { textOf } from './fixtures.test-support.ts'
import { createLocalReader } from './local-reader.ts'

/** Encodes a text in an encoding of one byte a character, of which the platform has a decoder only. */
function encodeIn(charset: string, text: string): Uint8Array {
  const decoder = new TextDecoder(charset)
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]))
  return Uint8Array.from(text, character => {
    const byte = bytes.get(character)
    if (byte === undefined) throw new Error(`${charset} has no ${character}`)
    return byte
  })
}

const TEXTS: readonly (readonly [charset: string, text: string])[] = [
  ['windows-1250', 'Dzień dobry, chciałbym zamówić książkę.'],
  ['windows-1250', 'Łódź jest trzecim co do wielkości miastem w Polsce.'],
  ['windows-1250', 'imię;nazwisko\nMałgorzata;Dąbrowska'],
  ['iso-8859-2', 'Proszę przynieść świeże pączki na jutrzejsze spotkanie.'],
  ['windows-1250', 'Příliš žluťoučký kůň úpěl ďábelské ódy.'],
  ['windows-1250', 'Nájemní smlouva končí v říjnu.'],
  ['windows-1250', 'A bérleti szerződés októberben lejár.'],
  ['windows-1250', 'Jó napot, szeretnék egy könyvet rendelni a fővárosból.'],
  ['windows-1250', 'Contractul de închiriere expiră în octombrie.'],
  ['windows-1252', 'Café Zürich naïve résumé – the price was 30 pounds'],
  ['windows-1252', 'The price was £30 – “a bargain”, he said.'],
  ['windows-1252', 'It’s 20 °C in the naïve café.'],
  ['windows-1252', 'Où habite ma sœur ? À côté de la forêt.'],
  ['windows-1252', 'Der Mietvertrag läuft im Oktober aus, sagt Jürgen aus Österreich.'],
  ['windows-1252', 'Größe: 5 Stück für 30 €'],
  ['windows-1252', 'El niño mañana cumplirá años.'],
  ['windows-1251', 'Договор аренды заканчивается в октябре.'],
  ['windows-1251', 'Завтра вранці треба відвезти машину до майстерні.'],
  ['koi8-r', 'Встреча состоится в среду.'],
  ['windows-1253', 'Η συνάντηση θα γίνει την Τετάρτη.'],
  ['windows-1254', 'Toplantı çarşamba günü saat dokuzda, İstanbul’da.'],
  ['windows-1257', 'Nuomos sutartis baigiasi spalį, sako žmonės.'],
]

describe('a text that does not say which encoding it is in', () => {
  test.each(TEXTS)('is read in %s: %s', async (charset, text) => {
    expect(await textOf('TEXT', encodeIn(charset, text), {})).toBe(text)
  })

  test('is UTF-8 still where a byte of it is damaged', async () => {
    const text = 'Der Mietvertrag läuft im Oktober aus, sagt Jürgen aus Österreich.'
    const bytes = new TextEncoder().encode(`${text} \u00e9`).subarray(0, -1)
    expect(await textOf('TEXT', bytes)).toBe(`${text} \ufffd`)
  })

  test('is told where little speaks for the guess, whatever its format', async () => {
    const warnings = async (text: string, format: 'TEXT' | 'HTML' | 'CSV' | 'MARKDOWN' = 'TEXT') => {
      const document = { bytes: encodeIn('windows-1250', text), format, name: 'a document' }
      const facts = await createLocalReader().read(document, async () => undefined, new AbortController().signal)
      return facts.warnings
    }
    for (const format of ['TEXT', 'HTML', 'CSV', 'MARKDOWN'] as const)
      expect(await warnings('Dvořák', format)).toEqual([expect.stringMatching(/encoding.*windows-125\d.*UTF-8/)])
    expect(await warnings('Nájemní smlouva končí v říjnu.')).toEqual([])
    expect(await warnings('Only ASCII.')).toEqual([])
  })
})

test('a text is read in the encoding that its sender names, but as what it is where that is called UTF-8', async () => {
  const bytes = encodeIn('windows-1250', 'Dvořák')
  expect(await textOf('TEXT', bytes, { charset: 'windows-1250' })).toBe('Dvořák')
  const sentence = 'Nájemní smlouva končí v říjnu.'
  expect(await textOf('TEXT', encodeIn('windows-1250', sentence), { charset: 'utf-8' })).toBe(sentence)
  expect(await textOf('TEXT', new TextEncoder().encode(sentence), { charset: 'windows-1250' })).toBe(sentence)
})

test('a text in ISO-2022-JP is read by its escapes, also where it is called UTF-8', async () => {
  const bytes = new Uint8Array(Buffer.from('\u001b$B$3$s$K$A$O\u001b(B, \u001b$BF|K\\\u001b(B', 'latin1'))
  for (const charset of [undefined, 'utf-8', 'iso-2022-jp']) {
    expect(await textOf('TEXT', bytes, { charset })).toBe('こんにちは, 日本')
  }
  const colours = `\u001b[31m${'a line of a log in red '.repeat(3)}\u001b(B.`
  expect(await textOf('TEXT', colours)).toBe(colours)
})
