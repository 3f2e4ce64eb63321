import { claimOf, finish, type Steps } from 'mneme/plugin'
import type { KnownStatement } from '../../graph/contract.ts'
import { normalForm, onOneLine, wordsOf } from './wording.ts'

/**
 * Statements that a later one contradicts: it denies the same in the same words ("I eat meat", "I don't eat meat anymore"), or gives
 * another value for what somebody has one of ("My phone number is …"). What relationships tell to be over the graph has found out
 * already.
 * @param statements oldest first
 */
export function* contradictedSteps(statements: readonly KnownStatement[]): Steps<ReadonlySet<KnownStatement>> {
  const over = new Set<KnownStatement>()
  const held = new Map<string, { value: string; statements: KnownStatement[] }>()
  for (const statement of statements) {
    yield
    const claim = claimOf(wordsOf(normalForm(onOneLine(statement.text))))
    if (!claim) continue
    const before = held.get(claim.aspect)
    if (before && agrees(before.value, claim.value)) {
      before.statements.push(statement)
      continue
    }
    for (const one of before?.statements ?? []) over.add(one)
    held.set(claim.aspect, { value: claim.value, statements: [statement] })
  }
  return over
}

/** The same at one go, for a few statements. */
export function contradicted(statements: readonly KnownStatement[]): ReadonlySet<KnownStatement> {
  return finish(contradictedSteps(statements))
}

/** "Dune" and "Dune by Frank Herbert" */
function agrees(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `)
}
