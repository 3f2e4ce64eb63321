/** One attacker, in a thread of its own, so that making its blows takes no time from measuring the victim. */
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { ATTACKS, type Target } from './attacks.ts'

const { name, seconds, target }: { name: string; seconds: number; target: Target } = workerData
const attack = ATTACKS[name]
if (!attack) throw new Error(`there is no attack ${name}`)
const end = Date.now() + seconds * 1000
let blows = 0
// The service may refuse, reset or be gone for a moment: an attacker goes on.
while (Date.now() < end) await attack(target, blows++).catch(() => pause(50))
parentPort?.postMessage(blows)
