/**
 * One attacker, in a process of its own.
 *
 *   bun bench/abuse/attacker.ts '{"name":"words","seconds":60,"target":{…}}'
 *
 * Prints how many blows it dealt.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { ATTACKS, type Target } from './attacks.ts'

const { name, seconds, target }: { name: string; seconds: number; target: Target } = JSON.parse(process.argv[2] ?? '')
const attack = ATTACKS[name]
if (!attack) throw new Error(`there is no attack ${name}`)
const end = Date.now() + seconds * 1000
let blows = 0
// The service may refuse, reset or be gone for a moment: an attacker goes on.
while (Date.now() < end) await attack(target, blows++).catch(() => pause(50))
console.log(blows)
