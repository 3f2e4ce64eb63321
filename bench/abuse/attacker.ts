/**
 * One attacker, in a process of its own.
 *
 *   bun bench/abuse/attacker.ts '{"name":"words","seconds":60,"target":{…}}'
 *
 * Prints how many blows it dealt, and what they gained.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { ATTACKS } from './attacks.ts'
import { ATTACKS_WITH_GAINS } from './attacks-with-gains.ts'
import type { Target } from './blows.ts'

const { name, seconds, target }: { name: string; seconds: number; target: Target } = JSON.parse(process.argv[2] ?? '')
const deal = ATTACKS[name] ?? (to => ATTACKS_WITH_GAINS[name]?.blow(to))
const end = Date.now() + seconds * 1000
let blows = 0
let gained = 0
// The service may refuse, reset or be gone for a moment: an attacker goes on.
while (Date.now() < end) {
  const gain = await Promise.resolve(deal(target, blows++)).catch(() => pause(50))
  gained += gain ?? 0
}
console.log(JSON.stringify({ blows, gained }))
// Sockets of slow readers stay open otherwise.
process.exit()
