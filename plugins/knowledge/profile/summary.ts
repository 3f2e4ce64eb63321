import type { RelationType } from '../../graph/contract.ts'
import type { Portrait } from './portrait.ts'

/** Things that one part of a sentence lists. */
const LISTED_MAX = 4

/** Each sentence with its parts, in the order in which they are told. */
const SENTENCES: readonly (readonly (readonly [RelationType, string])[])[] = [
  [
    ['WORKS_AT', 'works at'],
    ['LIVES_IN', 'lives in'],
    ['STUDIED_AT', 'has studied at'],
  ],
  [
    ['LIKES', 'likes'],
    ['INTERESTED_IN', 'is interested in'],
    ['USES_TECHNOLOGY', 'uses'],
    ['DISLIKES', 'dislikes'],
  ],
  [
    ['MARRIED_TO', 'is married to'],
    ['PARENT_OF', 'is a parent of'],
    ['MANAGES', 'manages'],
    ['REPORTS_TO', 'reports to'],
    ['COLLABORATES_WITH', 'works with'],
    ['MEMBER_OF', 'is a member of'],
    ['CREATED', 'created'],
    ['OWNS', 'owns'],
  ],
]

/** Two or three plain sentences: who it is, works where, lives where, likes what, knows whom. */
export function summaryOf({ name, facts, sentences }: Portrait, userId: string): string {
  const subject = name?.text ?? userId
  // A thing that is both liked and used is mentioned once.
  const named = new Set<string>()
  const told = SENTENCES.flatMap(parts => {
    const said = parts.flatMap(([type, verb]) => {
      const all = facts.filter(fact => fact.type === type).map(({ target }) => target)
      const targets = [...new Set(all)].filter(target => !named.has(target)).slice(0, LISTED_MAX)
      for (const target of targets) named.add(target)
      return targets.length > 0 ? [`${verb} ${listed(targets)}`] : []
    })
    return said.length > 0 ? [`${subject} ${listed(said)}.`] : []
  })
  return [...told, ...sentences.map(({ text }) => text)].join(' ')
}

function listed(items: readonly string[]): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}
