import type { Unit } from './units.ts'

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** "the user interface" is none. */
const COMPOUNDS =
  set(`interface interfaces experience base guide manual research story stories id ids name names account accounts group groups
  agent input data table profile profiles management settings feedback community password journey flow friendly facing testing interviews`)
const PLURALS =
  set(`children kids sons daughters parents brothers sisters siblings friends colleagues coworkers neighbours neighbors cousins
  grandparents twins cats dogs both companies teams people engineers developers students clients customers`)
/** Words that may precede "User" in a summary without articles. */
const BEFORE = /^(?:[-*•–—:;,.("“]|and|but|that|because|since|while|when|if|as|so|where|with|of|by|for)$/

/**
 * Reads what an agent writes of its user as if the user had written it: "the user's sister" is "my sister", and in a text that
 * speaks so, "they" and "their" are the user again, unless several people or things were named in between.
 */
export function asFirstPerson(sentences: readonly Unit[][]): readonly Unit[][] {
  if (!sentences.some(units => units.some((_, i) => isUser(units, i)))) return sentences
  let spoken = false
  let plural = false
  return sentences.map(units => {
    const read: Unit[] = []
    for (let i = 0; i < units.length; i++) {
      const unit = units[i]
      if (!unit) break
      if (isUser(units, i)) {
        if (read.at(-1)?.lower === 'the') read.pop()
        const owner = units[i + 1]
        if (owner && /^['’]s?$/.test(owner.text)) {
          read.push({ ...unit, lower: 'my', end: owner.end, pos: 'PRON' })
          i++
        } else read.push({ ...unit, lower: 'i', pos: 'PRON' })
        spoken = true
        plural = false
        continue
      }
      plural ||= PLURALS.has(unit.lower) || joinsNames(units, i)
      const own = spoken && !plural ? OWN.get(unit.lower) : undefined
      read.push(own ? { ...unit, lower: own } : unit)
    }
    return read
  })
}

const OWN: ReadonlyMap<string, string> = new Map(Object.entries({ they: 'i', their: 'my', them: 'me', theirs: 'mine' }))

function isUser(units: readonly Unit[], at: number): boolean {
  const unit = units[at]
  if (unit?.lower !== 'user' || COMPOUNDS.has(units[at + 1]?.lower ?? '') || units[at + 1]?.text === ':') return false
  const before = units[at - 1]
  if (before?.lower === 'the') return true
  return !before || (BEFORE.test(before.lower) && (unit.text === 'User' || !/^\p{L}/u.test(before.text)))
}

/** "Ana and Luis" */
function joinsNames(units: readonly Unit[], at: number): boolean {
  return units[at]?.lower === 'and' && isCapital(units[at - 1]) && isCapital(units[at + 1])
}

function isCapital(unit: Unit | undefined): boolean {
  return /^\p{Lu}/u.test(unit?.text ?? '')
}
