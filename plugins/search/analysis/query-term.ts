import { isElided, type Stemmer } from 'mneme/plugin'
import {
  type Analysis,
  acronymOf,
  attachments,
  bounded,
  isGlued,
  isHyphenated,
  surfaceOf,
  type Token,
} from './analyze.ts'
import { isIdentifier, sigilOf } from './identifiers.ts'
import { type Atom, coverOf } from './scan.ts'
import { withoutDot, withoutUmlauts } from './spellings.ts'

/** One unit of a query: a word, a token of code, a run of a script without spaces, or a phrase. */
export interface Term {
  /** The unit as the user wrote it, without quotes. */
  text: string
  quoted: boolean
  /** Lexemes that must follow each other; a single word has one step. */
  steps: Step[]
  /** Further stems, each of which counts as the whole term ("email" for "e-mail", "usa" for "U.S.A."). */
  aliases: string[]
  /** The distinct stems to rank by. */
  ranked: string[]
  /** The stems of `ranked` that a text containing the term must have. */
  required: string[]
  /** The stems of `ranked` in the further languages, where they differ. */
  variants: ReadonlyMap<string, readonly string[]>
}

export interface Step {
  lexeme: string
  /** Alternative lexemes: the stem in other languages. */
  variants: readonly string[]
  /** True to match as typed (weight A or B); otherwise any inflection matches. */
  typed: boolean
  /** The distance in positions to the previous step; 0 in the first step and for a second condition on the same position. */
  gap: number
}

interface TermContext {
  quoted: boolean
  /** The number of which the term is a group, in one piece; '' for none. */
  whole: string
  /** The languages of the texts; the first determines the stems to rank by. */
  languages: readonly string[]
  stemmers: readonly Stemmer[]
  analyze: (atoms: readonly Atom[], stem: Stemmer) => Pick<Analysis, 'tokens'>
}

/** Returns the terms of a quotation (one) or of a piece of query without spaces (one, or more: "cats,dogs"). */
export function termsOf(atoms: readonly Atom[], context: TermContext): Term[] {
  const groups: Atom[][] = []
  for (const atom of atoms) {
    const group = groups.at(-1)
    if (group === undefined || (!context.quoted && atom.link === 'apart')) groups.push([atom])
    else if (isElision(group, atom, context)) groups[groups.length - 1] = [{ ...atom, lead: '' }]
    else group.push(atom)
  }
  return groups.map(group => termOf(group, context))
}

/** In "l'école" the article is not part of the searched word. */
function isElision(group: readonly Atom[], atom: Atom, context: TermContext): boolean {
  const before = group[0]
  if (context.quoted || group.length !== 1 || before === undefined || atom.lead !== "'") return false
  return isGlued(atom, before) && isElided(before.text, context.languages)
}

function termOf(atoms: readonly Atom[], context: TermContext): Term {
  const hyphenated = !context.quoted && isHyphenatedWord(atoms)
  const steps: Step[] = []
  let gap = 0
  for (const [i, atom] of atoms.entries()) {
    const added = atom.kind === 'word' ? wordSteps(atoms, i, hyphenated, context) : runSteps(atom)
    const first = added.steps[0]
    if (first !== undefined) first.gap = gap
    steps.push(...added.steps)
    gap = added.next
  }
  const acronym = context.quoted ? '' : acronymOf(atoms)
  const whole = hyphenated && atoms.length === 2 ? atoms.map(surfaceOf).join('') : acronym
  const aliases = whole === '' ? [] : stemsOf(whole, context)
  const others = otherSpellings(atoms, context)
  return {
    text: atoms
      .map(
        (atom, i) => (i === 0 || atom.link === 'joined' ? '' : ' ') + atom.lead + atom.text + atom.clitic + atom.trail,
      )
      .join(''),
    quoted: context.quoted,
    steps,
    aliases: [...aliases, ...others],
    ...(acronym === '' ? alsoBy(others, rankedStems(atoms, context)) : rankedAlone(aliases)),
  }
}

function stemsOf(word: string, { stemmers }: TermContext): string[] {
  return distinct(stemmers.map(stem => stem(word)))
}

/** Lists the stems of a name as others write it, and a number without its groups. */
function otherSpellings(atoms: readonly Atom[], context: TermContext): string[] {
  if (context.whole !== '') return [context.whole]
  if (context.quoted) return []
  const [first] = atoms
  const spelled = atoms.length === 1 && first ? withoutUmlauts(first.text) : withoutDot(atoms)
  return spelled === '' ? [] : stemsOf(bounded(spelled), context)
}

/** Ranks a text that has another spelling as one with the first word of the term. */
function alsoBy(others: readonly string[], { ranked, required, variants }: RankedStems): RankedStems {
  const [first] = required
  if (others.length === 0 || first === undefined) return { ranked, required, variants }
  return {
    ranked: ranked.filter(stem => !others.includes(stem)),
    required,
    variants: new Map([...variants, [first, [...(variants.get(first) ?? []), ...others]]]),
  }
}

type RankedStems = Pick<Term, 'ranked' | 'required' | 'variants'>

function rankedStems(atoms: readonly Atom[], { stemmers, analyze }: TermContext): RankedStems {
  const [first = [], ...others] = stemmers.map(stem => analyze(atoms, stem).tokens)
  const variants = new Map<string, Set<string>>()
  // The tokens are the same for every stemmer; only their stems differ.
  for (const [i, { stem }] of first.entries()) {
    for (const tokens of others) {
      const other = tokens[i]?.stem ?? stem
      if (other !== stem) variants.set(stem, (variants.get(stem) ?? new Set()).add(other))
    }
  }
  const counted = first.filter(token => token.role !== 'form' && token.role !== 'alias')
  return {
    ranked: distinctStems(counted),
    required: distinctStems(counted.filter(token => token.role === 'word')),
    variants: new Map([...variants].map(([stem, further]) => [stem, [...further]])),
  }
}

/** "U.S.A." is ranked as "USA", because its letters mean nothing by themselves. */
function rankedAlone([stem = '', ...further]: readonly string[]): RankedStems {
  return { ranked: [stem], required: [stem], variants: new Map([[stem, further]]) }
}

function distinctStems(tokens: readonly Token[]): string[] {
  return distinct(tokens.map(token => token.stem))
}

function distinct(items: readonly string[]): string[] {
  return [...new Set(items)]
}

interface Steps {
  steps: Step[]
  /** The number of positions from the last step to the next atom. */
  next: number
}

function runSteps(atom: Atom): Steps {
  if (atom.kind === 'pictograph') return { steps: [{ lexeme: atom.text, variants: [], typed: true, gap: 0 }], next: 1 }
  let last = 0
  const steps = coverOf(atom.text).map(({ text, offset }) => {
    const gap = offset - last
    last = offset
    return { lexeme: text, variants: [], typed: true, gap }
  })
  return { steps, next: Array.from(atom.text).length - last }
}

function wordSteps(atoms: readonly Atom[], at: number, hyphenated: boolean, context: TermContext): Steps {
  const atom = atoms[at]
  if (atom === undefined) return { steps: [], next: 0 }
  const surface = surfaceOf(atom)
  const contracted = atom.clitic === "'t"
  const word = contracted ? surface + atom.clitic : surface
  const stems = contracted ? [word] : distinct(context.stemmers.map(stem => stem(word)))
  if (hyphenated) return single(stems, false)
  const forms = typedForms(atoms, at, surface)
  if (forms.length > 0) return { steps: forms.map(lexeme => ({ lexeme, variants: [], typed: true, gap: 0 })), next: 1 }
  if (context.quoted) return single([bounded(surface + atom.clitic)], true)
  const typed = atoms.length > 1 || isIdentifier(atom.text)
  return typed ? single([word], true) : single(stems, false)
}

/** Lists the word with the signs before and after it; each form is a condition on the same position. */
function typedForms(atoms: readonly Atom[], at: number, surface: string): string[] {
  const atom = atoms[at]
  if (atom === undefined) return []
  const { glued, sigil } = attachments(atom, atoms[at - 1], surface)
  const next = atoms[at + 1]
  // In "C++/C#" the sign after the first word is part of the glue to the second one.
  const trailed = atom.trail === '' || (next !== undefined && isGlued(next, atom)) ? '' : bounded(surface + atom.trail)
  return [glued || sigil, trailed].filter(form => form !== '')
}

/** Recognises an ordinary hyphenated word, without a sign that marks it as code ("--dry-run"). */
function isHyphenatedWord(atoms: readonly Atom[]): boolean {
  if (atoms.length < 2 || sigilOf(atoms[0]?.lead ?? '') !== '' || atoms.at(-1)?.trail !== '') return false
  return atoms.every((atom, i) => i === 0 || isHyphenated(atom, atoms[i - 1]))
}

function single([lexeme = '', ...variants]: readonly string[], typed: boolean): Steps {
  return { steps: [{ lexeme, variants, typed, gap: 0 }], next: 1 }
}
