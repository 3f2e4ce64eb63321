import { unicodeForm } from 'mneme/plugin'

/** Lower case without accents, so that "Izmir" is İzmir and "Zurich" Zürich. */
export function fold(name: string): string {
  if (/^[\x20-\x7e]*$/.test(name)) return name.toLowerCase()
  return unicodeForm(name, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ıłøđð]/g, letter => FOLDED[letter] ?? letter)
    .replaceAll('ß', 'ss')
    .replaceAll('’', "'")
}

const FOLDED: Readonly<Record<string, string>> = { ı: 'i', ł: 'l', ø: 'o', đ: 'd', ð: 'd' }
