import { lexicons, trimSigns, unicodeForm } from 'mneme/plugin'

/** Normalizes an entity's name: NFKC, lower case, single inner spaces, no punctuation at the ends. */
export function normalName(name: string): string {
  const spaced = unicodeForm(name, 'NFKC').toLowerCase().replace(/\s+/gu, ' ').trim()
  const bare = trimSigns(spaced, /[\p{P}\s]/u)
  // A name of nothing but punctuation must not become empty.
  return bare === '' ? spaced : bare
}

const LEGAL_FORM = new RegExp(
  `(?<![,\\s])[,\\s]+(?:${lexicons.LEGAL_FORMS.map(form => form.replaceAll('.', '\\.')).join('|')})$`,
  'u',
)

/** A normal name of a company without what only tells its legal form: what people leave out when they speak of it. */
export function withoutLegalForm(normal: string): string {
  const plain = normal.replace(LEGAL_FORM, '')
  return plain.length > 1 ? plain : normal
}
