import { toldOfUser } from 'mneme/plugin'
import type { Compiled, Document, Line, Section, Source } from './document.ts'
import { handWithout } from './hand.ts'
import { settled } from './render.ts'
import { normalForm } from './wording.ts'

/** Tells whether a memory still says a statement. */
export type Says = (memory: string, statement: string) => boolean

/**
 * A document without what memories say no more. A line stays while one of its memories says it. A sentence of a model's rests on
 * all of its sources, so it goes with any of them; the next compilation writes it anew from what is left.
 * @param gone memories that are deleted: lines written by hand that name only such go as well
 */
export function withdrawn(document: Document, says: Says, gone: ReadonlySet<string>): Document {
  const compiled = withdrawnFrom(document.compiled, says)
  return { ...document, compiled, hand: settled(handWithout(document.hand, gone), compiled) }
}

function withdrawnFrom(compiled: Compiled, says: Says): Compiled {
  const still = (line: Line) => withSources(line, ({ memory, said }) => says(memory, said ?? line.text))
  if (compiled.style === 'list') return mapLines(compiled, still, still)
  const left = mapLines(compiled, line => (still(line) === line ? line : undefined), still)
  return { ...left, sections: bareFirst(left.sections.map(section => headed(section, compiled.sections))) }
}

/** A heading of a model's sums up all that stood under it, so it goes with any of that. */
function headed(section: Section, before: readonly Section[]): Section {
  const isWhole = before.some(
    ({ heading, lines }) => heading === section.heading && lines.length === section.lines.length,
  )
  return isWhole ? section : { ...section, heading: null }
}

/** One section a heading; what has none comes first, or it would stand under the heading of another. */
export function bareFirst(sections: readonly Section[]): Section[] {
  const bare = sections.filter(({ heading }) => heading === null).flatMap(({ lines }) => lines)
  const byHeading = Map.groupBy(
    sections.filter(({ heading }) => heading !== null),
    ({ heading }) => heading,
  )
  return [
    ...(bare.length > 0 ? [{ heading: null, lines: bare }] : []),
    ...[...byHeading].map(([heading, own]) => ({ heading, lines: own.flatMap(({ lines }) => lines) })),
  ]
}

/** A document whose lines are replaced, or left out where there is nothing in their place. */
export function mapLines(
  compiled: Compiled,
  current: (line: Line) => Line | undefined,
  earlier: (line: Line) => Line | undefined,
): Compiled {
  return {
    ...compiled,
    sections: compiled.sections
      .map((section): Section => ({ ...section, lines: section.lines.flatMap(line => current(line) ?? []) }))
      .filter(({ lines }) => lines.length > 0),
    earlier: compiled.earlier.flatMap(line => earlier(line) ?? []),
  }
}

/**
 * A line on some of its sources only; itself when that is all of them. When none says its own words, the fullest of what they say
 * takes their place.
 */
export function withSources(line: Line, isKept: (source: Source) => boolean): Line | undefined {
  const left = line.sources.filter(isKept)
  if (left.length === line.sources.length) return line
  if (left.length === 0) return undefined
  if (left.some(({ hash }) => hash === line.hash)) return { ...line, sources: left }
  const fullest = left.reduce((a, b) => ((b.said?.length ?? 0) > (a.said?.length ?? 0) ? b : a))
  if (fullest.said === undefined) return undefined
  const text = toldOfUser(fullest.said)
  return {
    text,
    hash: fullest.hash,
    sources: left.map(({ memory, hash, said }) =>
      said === undefined || normalForm(said) === normalForm(text) ? { memory, hash } : { memory, hash, said },
    ),
  }
}
