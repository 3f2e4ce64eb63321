import { lexicons, wordSet } from 'mneme/plugin'
import type { Unit } from './units.ts'

const COMPOUNDS = wordSet(lexicons.USER_COMPOUNDS)
const PLURALS = wordSet(lexicons.PLURAL_NOUNS)
const BEFORE = wordSet(lexicons.BEFORE_USER)
const OWN = new Map(Object.entries(lexicons.PRONOUNS_OF_USER))

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

function isUser(units: readonly Unit[], at: number): boolean {
  const unit = units[at]
  if (unit?.lower !== 'user' || COMPOUNDS.has(units[at + 1]?.lower ?? '') || units[at + 1]?.text === ':') return false
  const before = units[at - 1]
  if (before?.lower === 'the') return true
  return !before || (BEFORE.has(before.lower) && (unit.text === 'User' || !/^\p{L}/u.test(before.text)))
}

/** "Ana and Luis" */
function joinsNames(units: readonly Unit[], at: number): boolean {
  return units[at]?.lower === 'and' && isCapital(units[at - 1]) && isCapital(units[at + 1])
}

function isCapital(unit: Unit | undefined): boolean {
  return /^\p{Lu}/u.test(unit?.text ?? '')
}
