import { describe, expect, test } from 'bun:test'
import type { Extraction, RelationType } from '../contract.ts'
import { readWaiting } from '../tasks/read-waiting.ts'
import { likesExtractor, readingWorld } from '../tasks/world.test-support.ts'
import { edgesOf, faultsOf } from './writing.test-support.ts'

const { signal } = new AbortController()
const span = { start: 0, end: 1 }
const person = { type: 'PERSON', span, confidence: 0.9, aliases: [], isUser: false } as const
const user = { ...person, name: 'u7', isUser: true }

/** "u7 REPORTS_TO Raman (Priya)", and "Priya" alone. */
function told(text: string): Partial<Extraction> {
  const [, who, type, name = text, alias] = /^(?:(u7|Sam) (\w+) )?([^(]+?)(?: \((\w+)\))?$/.exec(text) ?? []
  const named = { ...person, name, aliases: alias ? [alias] : [] }
  if (!who || !isType(type)) return { entities: [named] }
  const relation = { type, source: 0, target: 1, confidence: 0.9, span, validFrom: null, validTo: null, closes: false }
  return { entities: [who === 'u7' ? user : { ...person, name: who }, named], relations: [relation] }
}

function isType(type: string | undefined): type is RelationType {
  return type === 'REPORTS_TO' || type === 'MARRIED_TO'
}

async function world() {
  const running = await readingWorld(likesExtractor('local', ({ text }) => told(text)))
  const { scope, workspaceId } = running
  return {
    async say(text: string) {
      const id = await running.remember(text)
      await readWaiting(scope, workspaceId, signal)
      return id
    },
    forget: (id: string) => running.account.client.delete(`/v1/memories/${id}`),
    async edges() {
      expect(await faultsOf(running.running, workspaceId)).toEqual([])
      return edgesOf(running.running, workspaceId)
    },
  }
}

describe('an entity that goes by another name after a memory went', () => {
  for (const [who, type] of [
    ['u7', 'REPORTS_TO'],
    ['Sam', 'MARRIED_TO'],
  ]) {
    test(`is told from others by that name: ${type}`, async () => {
      const { say, forget, edges } = await world()
      const short = await say('Priya')
      await say(`${who} ${type} Raman (Priya)`)
      await say(`${who} ${type} Priya Kumar`)
      const both = (name: string, former = '') => [`${former}${line(who, type, name)}`, line(who, type, 'Priya Kumar')]
      // A person known only as Priya may be Priya Kumar.
      expect(await edges()).toEqual(both('Priya').toSorted())
      await forget(short)
      expect(await edges()).toEqual(both('Raman', '-').toSorted())
    })
  }
})

function line(who: string | undefined, type: string | undefined, name: string): string {
  return type === 'MARRIED_TO' ? `${name} ${type} ${who}` : `${who} ${type} ${name}`
}
