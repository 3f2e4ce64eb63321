/** A full stop after one of these ends no sentence. A space in one may be left out. */
export const ABBREVIATIONS: Readonly<Record<string, readonly string[]>> = {
  en: [
    'Dr',
    'dr',
    'Mr',
    'Mrs',
    'Ms',
    'Prof',
    'prof',
    'St',
    'Jr',
    'Sr',
    'Mt',
    'vs',
    'approx',
    'e. g',
    'E. g',
    'i. e',
    'I. e',
  ],
  de: ['bzw', 'ca', 'z. B', 'd. h', 'u. a'],
  es: ['Sra', 'Dra', 'p. ej'],
  fr: ['Mme', 'Mlle', 'p. ex'],
}

/** After these a full stop ends no sentence where a number follows: "Fig. 3", "Abs. 2". */
export const ABBREVIATIONS_OF_NUMBERS: Readonly<Record<string, readonly string[]>> = {
  en: ['Fig', 'fig', 'Figs', 'figs', 'Vol', 'vol', 'No', 'p', 'pp'],
  de: ['Nr', 'Abs', 'Art'],
}

/** After these, and after those above, a full stop before a small letter ends no sentence. */
export const ABBREVIATIONS_WITHIN: Readonly<Record<string, readonly string[]>> = {
  en: [
    'etc',
    'incl',
    'max',
    'min',
    'est',
    'inc',
    'ltd',
    'co',
    'corp',
    'hrs',
    'hr',
    'mins',
    'sec',
    'resp',
    'ext',
    'dept',
  ],
  de: ['usw', 'inkl', 'evtl', 'ggf', 'std', 'mio', 'mrd', 'str', 'tel', 'geb', 'vgl', 'sog'],
  es: ['aprox', 'pág'],
  fr: ['env'],
}
